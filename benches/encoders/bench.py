#!/usr/bin/env python3
"""Compares the files of hazumi with those of other programs, over the example specs.

    cargo build --release --example from_frames && cargo build --release
    python3 benches/encoders/bench.py [--only NAME,…] [--peers NAME,…] [--rounds 2] [--table docs/benchmarks.md]

Every example is rendered once to a PNG sequence. Each program then makes its file in turn, the whole turn
`--rounds` times over (A B A B), and the smallest time counts. Peers read the PNG sequence. `hazumi` is the
whole program: from the spec, drawing included. `hazumi, frames` reads the same PNG files as the peers and
writes the same bytes but for title and description (checked), so that encoders alone can be compared.

Time is user + system time of all processes of a program; memory is the largest resident set of any of them.
Other programs do not put a spec into their files, so ours is left out (`--no-source`); what it would take is told
apart. Errors are those of what a decoder (Pillow; ffmpeg for APNG) shows at the middle of each frame's time, against the PNG.
Programs that are not found on the path are left out. Pillow is needed.
"""

import argparse
import datetime
import glob
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

from PIL import Image, ImageChops, ImageStat, features
import PIL

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HAZUMI = os.environ.get("HAZUMI", os.path.join(ROOT, "target/release/hazumi"))
FRAMES = os.path.join(os.path.dirname(HAZUMI), "examples/from_frames")
FASTEST_GIF = 50
TIMEOUT = 600

PILLOW = """
import glob, sys
from PIL import Image
folder, out, fps = sys.argv[1], sys.argv[2], float(sys.argv[3])
frames = [Image.open(path).convert("RGB") for path in sorted(glob.glob(folder + "/*.png"))]
frames[0].save(out, save_all=True, append_images=frames[1:], duration=1000 / fps, loop=0, optimize=True)
"""


class Job:
    """An example as frames, and how fast they are shown."""

    def __init__(self, name, fps, folder):
        self.name, self.fps, self.folder = name, fps, folder
        self.spec = os.path.join(ROOT, "specs", name + ".json")
        self.pngs = sorted(glob.glob(folder + "/*.png"))

    def out(self, tool, ending):
        return os.path.join(os.path.dirname(self.folder), f"{tool}.{ending}".replace(" ", "_"))


def palette(job, out):
    graph = "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none"
    return ["ffmpeg", "-v", "error", "-y", "-framerate", str(job.fps), "-i", job.folder + "/%04d.png",
            "-lavfi", graph, "-loop", "0", out]


def render(job, out, *options):
    return [HAZUMI, "render", "-q", job.spec, "--fps", str(job.fps), "--no-source", "-o", out, *options]


def apng(job, out, *options):
    return render(job, out, "--format", "apng", *options)


def assemble(job, out, *options):
    return ["apngasm", out, job.folder + "/0000.png", "1", str(job.fps), *options]


def webp_of_frames(job, out):
    delay = str(round(1000 / job.fps))
    frames = [part for path in job.pngs for part in ("-lossless", "-d", delay, path)]
    return ["img2webp", "-loop", "0", *frames, "-o", out]


# Name → (ending, programs it needs, the commands in turn). A command that is a string starts from its predecessor's file.
TOOLS = {
    "hazumi": ("gif", [], lambda j, o: [render(j, o)]),
    "hazumi fast": ("gif", [], lambda j, o: [render(j, o, "--effort", "fast")]),
    "hazumi max": ("gif", [], lambda j, o: [render(j, o, "--effort", "max")]),
    "hazumi, frames": ("gif", [], lambda j, o: [[FRAMES, j.spec, str(j.fps), j.folder, o]]),
    "gifski": ("gif", ["gifski"], lambda j, o: [
        ["gifski", "-q", "-Q", "90", "--fps", str(j.fps), "-o", o, *j.pngs]]),
    "ffmpeg": ("gif", ["ffmpeg"], lambda j, o: [palette(j, o)]),
    "ffmpeg + gifsicle": ("gif", ["ffmpeg", "gifsicle"], lambda j, o: [
        palette(j, o + ".part.gif"), ["gifsicle", "-O3", o + ".part.gif", "-o", o]]),
    "gifenc": ("gif", ["node"], lambda j, o: [
        ["node", os.path.join(HERE, "gifenc.cjs"), j.folder, o, str(j.fps)]]),
    "Pillow": ("gif", ["python3"], lambda j, o: [["python3", "-c", PILLOW, j.folder, o, str(j.fps)]]),
    "ImageMagick": ("gif", ["convert"], lambda j, o: [
        ["convert", "-delay", f"{100 / j.fps:g}", "-loop", "0", "+dither", *j.pngs, "-layers", "optimize", o]]),
    "hazumi apng": ("png", [], lambda j, o: [apng(j, o)]),
    "hazumi apng fast": ("png", [], lambda j, o: [apng(j, o, "--effort", "fast")]),
    "hazumi apng max": ("png", [], lambda j, o: [apng(j, o, "--effort", "max")]),
    "ffmpeg apng": ("png", ["ffmpeg"], lambda j, o: [
        ["ffmpeg", "-v", "error", "-y", "-framerate", str(j.fps), "-i", j.folder + "/%04d.png",
         "-f", "apng", "-plays", "0", o]]),
    "apngasm, zlib": ("png", ["apngasm"], lambda j, o: [assemble(j, o, "-z0")]),
    "apngasm": ("png", ["apngasm"], lambda j, o: [assemble(j, o)]),
    "apngasm, Zopfli": ("png", ["apngasm"], lambda j, o: [assemble(j, o, "-z2")]),
    "hazumi webp": ("webp", [], lambda j, o: [render(j, o)]),
    "img2webp": ("webp", ["img2webp"], lambda j, o: [webp_of_frames(j, o)]),
}
# After another tool's file: what gifsicle still gains on ours.
GAINS = {"hazumi": "hazumi, then gifsicle", "hazumi max": "hazumi max, then gifsicle"}
# Whose files can hold the spec.
EMBEDDING = ["hazumi", "hazumi apng"]
COUNTERPARTS = "counterparts in Node"


def run(command):
    """Runs a program; gives its CPU seconds and its largest resident set in MiB, or None if it fails."""
    with open(os.devnull, "w") as null:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() - started > TIMEOUT:
                    process.kill()
                time.sleep(0.01)
        except ChildProcessError:
            return None
    said = process.stderr.read().decode(errors="replace")
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        print(f"  failed: {command[0]}: {said.strip()[-300:]}", file=sys.stderr)
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def make(tool, job):
    """Makes a tool's file once; gives CPU seconds and MiB."""
    ending, _, commands = TOOLS[tool]
    out = job.out(tool, ending)
    seconds, memory = 0, 0
    for command in commands(job, out):
        usage = run(command)
        if usage is None:
            return None
        seconds += usage[0]
        memory = max(memory, usage[1])
    return seconds, memory


def pictures(path):
    """The frames of a file in order. Pillow misreads frames of an APNG that are taken back, ffmpeg does not."""
    if path.endswith(".png") and shutil.which("ffmpeg"):
        size = Image.open(path).size
        command = ["ffmpeg", "-v", "error", "-i", path, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
            while pixels := process.stdout.read(3 * size[0] * size[1]):
                yield Image.frombytes("RGB", size, pixels)
        return
    film = Image.open(path)
    for i in range(getattr(film, "n_frames", 1)):
        film.seek(i)
        yield film.convert("RGB")


def errors(job, path):
    """The largest error of any channel and the peak signal-to-noise ratio, over all frames."""
    film = Image.open(path)
    ends, total = [], 0
    for i in range(getattr(film, "n_frames", 1)):
        film.seek(i)
        film.load()
        total += film.info.get("duration", 0) or 1
        ends.append(total)
    worst, squares, count = 0, 0, 0
    index, shown = -1, None
    film = pictures(path)
    for i, png in enumerate(job.pngs):
        at = (i + 0.5) / len(job.pngs) * total
        wanted = next(k for k, end in enumerate(ends) if at < end)
        while index < wanted:
            index += 1
            shown = next(film)
        difference = ImageChops.difference(shown, Image.open(png).convert("RGB"))
        worst = max(worst, *(high for _, high in difference.getextrema()))
        statistic = ImageStat.Stat(difference)
        squares += sum(statistic.sum2)
        count += 3 * shown.size[0] * shown.size[1]
    ratio = math.inf if squares == 0 else 10 * math.log10(255 * 255 * count / squares)
    return worst, ratio


def prepare(name, work):
    """Renders an example to PNG, at a rate that GIF can hold."""
    folder = os.path.join(work, name, "frames")
    text = open(os.path.join(ROOT, "specs", name + ".json")).read()
    fps = min(float(re.search(r'"fps":\s*([0-9.]+)', text)[1]), FASTEST_GIF)
    fps = int(fps) if fps == int(fps) else fps
    shutil.rmtree(folder, ignore_errors=True)
    spec = os.path.join(ROOT, "specs", name + ".json")
    parent = os.path.join(work, name, "png")
    subprocess.run([HAZUMI, "render", "-q", spec, "--fps", str(fps), "--format", "png", "-o", parent], check=True)
    os.rename(os.path.join(parent, name), folder)
    for path in glob.glob(folder + "/*.png"):
        # One pixel format for all: where it changes, ffmpeg begins anew.
        Image.open(path).convert("RGB").save(path)
    return Job(name, fps, folder)


def embedded(tool, job):
    """Bytes that the spec takes in a file."""
    ending, _, commands = TOOLS[tool]
    out = job.out(tool, "spec." + ending)
    for command in commands(job, out):
        subprocess.run([part for part in command if part != "--no-source"], check=True)
    return os.path.getsize(out) - os.path.getsize(job.out(tool, ending))


def measure(job, tools, rounds):
    found = {}
    for _ in range(rounds):
        for tool in tools:
            if found.get(tool, ()) is None:
                continue
            usage = make(tool, job)
            before = found.get(tool)
            found[tool] = usage if usage is None or before is None else tuple(map(min, before, usage))
    results = {}
    for tool in tools:
        if found[tool] is None:
            continue
        path = job.out(tool, TOOLS[tool][0])
        worst, ratio = errors(job, path)
        results[tool] = dict(bytes=os.path.getsize(path), seconds=found[tool][0], memory=found[tool][1],
                             error=worst, psnr=None if ratio == math.inf else ratio)
    for tool, name in GAINS.items():
        if tool in results and shutil.which("gifsicle"):
            path = job.out(tool, "gif")
            subprocess.run(["gifsicle", "-O3", path, "-o", path + ".smaller.gif"], check=True,
                           stderr=subprocess.DEVNULL)
            results[name] = dict(bytes=os.path.getsize(path + ".smaller.gif"))
    for tool in EMBEDDING:
        if tool in results:
            results[tool]["embedded"] = embedded(tool, job)
    if {"hazumi", "hazumi, frames"} <= results.keys():
        ours = [open(job.out(tool, "gif"), "rb").read() for tool in ("hazumi", "hazumi, frames")]
        # Title and description stand between what both begin with and what both end with.
        shared = sum(len(os.path.commonprefix(pair)) for pair in (ours, [file[::-1] for file in ours]))
        if shared < len(ours[1]):
            print(f"  {job.name}: from the spec and from its frames the bytes differ", file=sys.stderr)
    return results


def counterparts(work, rounds):
    """From nothing to a finished GIF, against the same figures in Node."""
    results = {}
    for name in ("letter-i", "membrane", "playground"):
        out = os.path.join(work, name + ".node.gif")
        spec = os.path.join(ROOT, "specs", name + ".json")
        commands = {
            "hazumi": [HAZUMI, "render", "-q", spec, "-o", os.path.join(work, name + ".gif")],
            "canvas + gifenc": ["node", os.path.join(HERE, "counterparts.cjs"), name, out],
            "canvas + gifenc, a palette each": ["node", os.path.join(HERE, "counterparts.cjs"), name, out, "each"],
        }
        for _ in range(rounds):
            for tool, command in commands.items():
                usage = run(command)
                if usage:
                    made = os.path.getsize(command[-1] if tool == "hazumi" else out)
                    row = results.setdefault(name, {})
                    before = row.get(tool, {}).get("seconds", math.inf)
                    row[tool] = dict(bytes=made, seconds=min(before, usage[0]), memory=usage[1])
    return results


def versions():
    asked = {
        "hazumi": [HAZUMI, "--version"], "gifski": ["gifski", "--version"], "ffmpeg": ["ffmpeg", "-version"],
        "gifsicle": ["gifsicle", "--version"], "ImageMagick": ["convert", "--version"],
        "img2webp": ["img2webp", "-version"], "node": ["node", "--version"],
    }
    said = {"Pillow": PIL.__version__}
    for name, command in asked.items():
        if shutil.which(command[0]):
            output = subprocess.run(command, capture_output=True, text=True)
            said[name] = re.search(r"\d+\.\d+[\w.-]*", output.stdout + output.stderr)[0]
    if shutil.which("apngasm"):
        output = subprocess.run(["apngasm"], capture_output=True, text=True)
        said["apngasm"] = re.search(r"\d+\.\d+", output.stdout)[0]
    manifest = subprocess.run(["node", "-p", "require('gifenc/package.json').version"], capture_output=True, text=True)
    if manifest.returncode == 0:
        said["gifenc"] = manifest.stdout.strip()
    return said


def cell(value, measure):
    if value is None:
        return "exact" if measure == "psnr" else "–"
    return {"bytes": lambda: f"{value / 1000:.1f}", "embedded": lambda: f"{value / 1000:.1f}", "seconds": lambda: f"{value:.2f}",
            "memory": lambda: f"{value:.0f}", "error": lambda: str(value), "psnr": lambda: f"{value:.1f}"}[measure]()


def table(results, tools, measure):
    tools = [tool for tool in tools if any(tool in row for row in results.values())]
    lines = ["| | " + " | ".join(tools) + " |", "| --- |" + " ---: |" * len(tools)]
    for name, row in results.items():
        if not any(tool in row for tool in tools):
            continue
        cells = [cell(row[tool].get(measure), measure) if measure in row.get(tool, {}) else "–" for tool in tools]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def ratios(results, ours, peers):
    """How ours compare with each peer: the middle and the worst example."""
    lines = [f"| {ours} ÷ | bytes, median | bytes, worst | CPU, median | CPU, worst | higher maximum error |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for peer in peers:
        rows = {name: row for name, row in results.items() if ours in row and peer in row}
        if not rows:
            continue
        line = [peer]
        for measure in ("bytes", "seconds"):
            if measure not in next(iter(rows.values()))[peer]:
                line += ["–", "–"]
                continue
            ratio = {name: row[ours][measure] / row[peer][measure] for name, row in rows.items()}
            worst = max(ratio, key=ratio.get)
            line += [f"{statistics.median(ratio.values()):.3f}", f"{ratio[worst]:.3f} ({worst})"]
        if "error" in next(iter(rows.values()))[peer]:
            higher = [name for name, row in rows.items() if row[ours]["error"] > row[peer]["error"]]
            line.append(f"{len(higher)} of {len(rows)}" + (f" ({', '.join(higher)})" if 0 < len(higher) < 4 else ""))
        else:
            line.append("–")
        lines.append("| " + " | ".join(line) + " |")
    return "\n".join(lines)


WORDS = {"bytes": "Bytes, thousands", "embedded": "Bytes of the spec, if it is in the file, thousands", "error": "Largest error of a channel, of 255", "psnr": "PSNR, dB",
         "seconds": "User + system time, s", "memory": "Largest resident set, MiB"}


def page(results, tools):
    date = datetime.date.today().isoformat()
    said = ", ".join(f"{name} {version}" for name, version in versions().items())
    cpu = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        names = re.findall(r"model name\s*:\s*(.*)", open("/proc/cpuinfo").read())
        cpu = f"{len(names)} × {names[0].strip()}" if names else cpu
    parts = [
        "# Benchmarks",
        f"Measured on {date} by `benches/encoders/bench.py` (what is measured and how is said there): {cpu}; {said}.",
        "Each example of `specs/` at its own size, at most 50 frames per second. `hazumi` works from the spec, drawing "
        "included; `hazumi, frames` reads the PNG files that the other programs read and writes the same bytes.",
    ]
    by_hand = results.pop(COUNTERPARTS, None)
    kinds = [("GIF", "gif", ["hazumi", "hazumi fast", "hazumi max", "hazumi, frames"]),
             ("APNG", "png", ["hazumi apng", "hazumi apng fast", "hazumi apng max"]), ("WebP, lossless", "webp", ["hazumi webp"])]
    for title, ending, ours in kinds:
        named = [tool for tool in tools if TOOLS[tool][0] == ending]
        if not any(tool in row for tool in named for row in results.values()):
            continue
        parts.append(f"## {title}")
        peers = [tool for tool in named if not tool.startswith("hazumi")]
        for own in ours:
            gains = [GAINS[own]] if own in GAINS else []
            if any(own in row for row in results.values()):
                parts.append(ratios(results, own, peers + gains))
        for measure, words in WORDS.items():
            if measure == "embedded":
                holding = [tool for tool in named if tool in EMBEDDING]
                if any(measure in row.get(tool, {}) for tool in holding for row in results.values()):
                    parts += [f"### {words}", table(results, holding, measure)]
                continue
            if ending != "gif" and measure in ("psnr",):
                continue
            if not any(measure in row.get(tool, {}) for tool in named for row in results.values()):
                continue
            extra = list(GAINS.values()) if ending == "gif" and measure == "bytes" else []
            parts.append(f"### {words}")
            parts.append(table(results, named + extra, measure))
    if by_hand:
        parts.append("## From spec to GIF")
        parts.append("The whole program against the same figures written for Node, `benches/encoders/counterparts.cjs`: "
                     "with one palette for all frames, and with one for each, as gifenc's documentation does.")
        tools = list(next(iter(by_hand.values())))
        for measure in ("seconds", "bytes", "memory"):
            parts += ["### " + WORDS[measure], table(by_hand, tools, measure)]
    return "\n\n".join(parts) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", help="examples, separated by commas")
    options.add_argument("--peers", help="programs, separated by semicolons")
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--work", default=os.path.join(ROOT, "target/encoders"), help="folder for files that are made")
    options.add_argument("--table", help="write the page here; else to standard output")
    options.add_argument("--again", action="store_true", help="only print what was measured before")
    options.add_argument("--keep", action="store_true", help="keep what was measured before of other programs")
    options.add_argument("--counterparts", action="store_true", help="also the figures written for Node")
    args = options.parse_args()
    names = sorted(os.path.basename(path)[:-5] for path in glob.glob(os.path.join(ROOT, "specs/*.json")))
    names = [name for name in names if name != "schema"]
    if args.only:
        names = [name for name in names if name in args.only.split(",")]
    formats = subprocess.run([HAZUMI, "list"], capture_output=True, text=True).stdout
    has_webp = re.search(r"^\s*webp\b", formats, re.M)
    tools = [tool for tool, (_, needs, _) in TOOLS.items() if all(map(shutil.which, needs))]
    if not has_webp:
        tools.remove("hazumi webp")
    if args.peers:
        tools = [tool for tool in tools if tool in args.peers.split(";")]
    os.makedirs(args.work, exist_ok=True)
    kept = os.path.join(args.work, "results.json")
    before = json.load(open(kept)) if os.path.exists(kept) else {}
    results = before if args.again or args.keep else {}
    for name in [] if args.again else names:
        print(name, file=sys.stderr)
        job = prepare(name, args.work)
        results.setdefault(name, {}).update(measure(job, tools, args.rounds))
        json.dump(results, open(kept, "w"), indent=1)
    if args.counterparts:
        results[COUNTERPARTS] = counterparts(args.work, args.rounds)
        json.dump(results, open(kept, "w"), indent=1)
    text = page(dict(sorted(results.items())), list(TOOLS))
    if args.table:
        open(args.table, "w").write(text)
    else:
        print(text)


if __name__ == "__main__":
    main()

"use strict";
// Frames are kept as differences: each golden frame is the one before, xor its difference; what is drawn now is the golden
// frame, xor another. So a step forth and a step back are the same work, and nothing else need be kept.
const films = JSON.parse(document.getElementById("films").textContent);
const articles = [...document.querySelectorAll("article[data-film]")];
let active = articles[0];

async function unpack(film) {
  const bytes = Uint8Array.from(atob(film.data), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Film {
  constructor(article, film) {
    Object.assign(this, { article, film, at: -1, shown: 0, timer: null });
    this.canvases = [...article.querySelectorAll("canvas")];
    this.slider = article.querySelector("input");
    this.label = article.querySelector("output");
    this.cursors = [...article.querySelectorAll("line")];
    for (const canvas of this.canvases) { canvas.width = film.width; canvas.height = film.height; }
    this.slider.addEventListener("input", () => this.show(+this.slider.value));
    article.querySelector(".play").addEventListener("click", () => this.play());
    for (const button of article.querySelectorAll("[data-frame]")) {
      button.addEventListener("click", () => this.show(film.frames.indexOf(+button.dataset.frame)));
    }
    const strip = article.querySelector(".strip");
    strip?.addEventListener("click", (event) => {
      const box = strip.getBoundingClientRect();
      this.near(Math.floor((event.clientX - box.left) / box.width * film.all));
    });
    this.wanted = Math.max(0, film.frames.indexOf(film.first));
    this.label.textContent = `frame ${film.first}`;
  }
  near(frame) {
    let best = 0;
    this.film.frames.forEach((f, i) => { if (Math.abs(f - frame) < Math.abs(this.film.frames[best] - frame)) best = i; });
    this.show(best);
  }
  async load() {
    this.loading ??= unpack(this.film).then((bytes) => {
      this.bytes = bytes;
      this.size = this.film.width * this.film.height * (this.film.palette ? 1 : 4);
      this.golden = new Uint8Array(this.size);
      this.show(this.wanted);
    });
    return this.loading;
  }
  xor(frame) {
    const from = frame * 2 * this.size;
    for (let i = 0; i < this.size; i++) this.golden[i] ^= this.bytes[from + i];
  }
  show(i) {
    const last = this.film.frames.length - 1;
    i = Math.min(Math.max(i, 0), last);
    this.wanted = i;
    if (!this.bytes) { this.load(); return; }
    while (this.at < i) this.xor(++this.at);
    while (this.at > i) this.xor(this.at--);
    const now = new Uint8Array(this.size);
    const from = (i * 2 + 1) * this.size;
    for (let k = 0; k < this.size; k++) now[k] = this.golden[k] ^ this.bytes[from + k];
    const [a, b] = [this.colours(this.golden), this.colours(now)];
    this.paint(0, a); this.paint(1, b); this.paint(2, this.difference(a, b));
    this.frame();
    const frame = this.film.frames[i];
    this.slider.value = i;
    const count = this.film.counts[frame] ?? 0;
    this.label.textContent = `frame ${frame}: ${count === 1 ? "1 pixel differs" : count + " pixels differ"}`;
    for (const line of this.cursors) {
      const x = (frame + 0.5) * line.dataset.step;
      line.setAttribute("x1", x); line.setAttribute("x2", x);
    }
  }
  colours(plain) {
    if (!this.film.palette) return plain;
    const out = new Uint8Array(plain.length * 4);
    const table = this.film.palette;
    for (let i = 0; i < plain.length; i++) {
      const c = table[plain[i]];
      out[4 * i] = c >>> 24; out[4 * i + 1] = c >>> 16 & 255; out[4 * i + 2] = c >>> 8 & 255; out[4 * i + 3] = c & 255;
    }
    return out;
  }
  difference(a, b) {
    const out = new Uint8Array(a.length);
    const box = this.box = [Infinity, Infinity, -1, -1];
    for (let i = 0; i < a.length; i += 4) {
      let apart = 0;
      for (let k = 0; k < 4; k++) apart = Math.max(apart, Math.abs(a[i + k] - b[i + k]));
      if (a[i + 3] === 0 && b[i + 3] === 0) apart = 0;
      if (apart) {
        const x = i / 4 % this.film.width, y = Math.floor(i / 4 / this.film.width);
        box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y); box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
        const t = apart / 255;
        out[i] = 255 - 39 * t; out[i + 1] = 150 * (1 - t); out[i + 2] = 80 * t; out[i + 3] = 255;
      } else {
        const grey = (a[i] * 2 + a[i + 1] * 5 + a[i + 2]) / 8;
        out[i] = out[i + 1] = out[i + 2] = 128; out[i + 3] = Math.abs(grey - 128) * a[i + 3] / 255 * 0.3;
      }
    }
    return out;
  }
  // A few pixels are hard to find: a frame goes around all that differ.
  frame() {
    const [left, top, right, bottom] = this.box;
    if (right < left) return;
    const pen = this.canvases[2].getContext("2d");
    pen.strokeStyle = getComputedStyle(document.body).color;
    pen.globalAlpha = 0.5;
    pen.strokeRect(left - 3.5, top - 3.5, right - left + 8, bottom - top + 8);
    pen.globalAlpha = 1;
  }
  paint(i, bytes) {
    const image = new ImageData(new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length), this.film.width, this.film.height);
    this.canvases[i].getContext("2d").putImageData(image, 0, 0);
  }
  play() {
    const button = this.article.querySelector(".play");
    if (this.timer) { clearInterval(this.timer); this.timer = null; button.textContent = "Play"; return; }
    button.textContent = "Stop";
    this.timer = setInterval(() => this.show((this.wanted + 1) % this.film.frames.length), 1000 / 12);
  }
  next() {
    const { frames, counts } = this.film;
    for (let k = 1; k <= frames.length; k++) {
      const i = (this.wanted + k) % frames.length;
      if (counts[frames[i]]) return this.show(i);
    }
  }
}

const shown = new Map(articles.map((article) => [article, new Film(article, films[article.dataset.film])]));
function activate(article) {
  active?.classList.remove("active");
  active = article;
  active.classList.add("active");
}
for (const article of articles) article.addEventListener("pointerdown", () => activate(article));
// Pictures are unpacked when they come near, for they take much room.
const watch = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) shown.get(entry.target).load();
}, { rootMargin: "300px" });
articles.forEach((article) => watch.observe(article));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !active) return;
  const film = shown.get(active);
  const step = event.shiftKey ? 10 : 1;
  const at = articles.indexOf(active);
  const keys = {
    ArrowLeft: () => film.show(film.wanted - step), ArrowRight: () => film.show(film.wanted + step),
    Home: () => film.show(0), End: () => film.show(Infinity), n: () => film.next(),
    " ": () => film.play(),
    j: () => go(at + 1), k: () => go(at - 1),
  };
  const go = (i) => { const to = articles[i]; if (to) { activate(to); to.scrollIntoView({ block: "start" }); } };
  if (keys[event.key] && !(event.target.tagName === "BUTTON" && event.key === " ")) { keys[event.key](); event.preventDefault(); }
});

// Three of the examples written by hand for Node, with @napi-rs/canvas and gifenc: `counterparts.cjs FIGURE OUT [each]`.
//
// The same size, length, rate, shapes, colours and words; motion by the usual means of such programs. One
// palette is found from a few frames and serves all, which is faster and smaller than a palette for each
// frame; `each` finds one for each, as gifenc's documentation does.

const fs = require("fs");
const { createCanvas } = require("@napi-rs/canvas");
const { GIFEncoder, quantize, applyPalette } = require("gifenc");

const RATE = 50;
const INK = "#22272e", PAPER = "#f7f4ec", RUST = "#c2402a";

const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

/** y of a CSS curve at x. */
function bezier([x1, y1, x2, y2], x) {
  const at = (a, b, u) => 3 * a * u * (1 - u) ** 2 + 3 * b * u * u * (1 - u) + u ** 3;
  let low = 0, high = 1;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (at(x1, x2, middle) < x) low = middle;
    else high = middle;
  }
  return at(y1, y2, low);
}

function disc(ctx, x, y, radius, fill) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
}

/** A letter that swings left and back: eased keys, and a decaying ring after each. */
function letter() {
  const tracks = {
    bottom: { from: 2, to: 27, curve: [0.5, 0, 0.46, 0.88], decay: 0.16, rate: 0.28 },
    top: { from: 6, to: 27, curve: [0.58, 0, 0.74, 0.6], decay: 0.115, rate: 0.34 },
    dot: { from: 11, to: 30, curve: [0.64, 0, 0.8, 0.42], decay: 0.085, rate: 0.38 },
  };
  const value = (track, frame) => {
    const half = frame < 60 ? frame : frame - 60;
    const [a, b] = frame < 60 ? [320, 160] : [160, 320];
    const x = clamp((half - track.from) / (track.to - track.from), 0, 1);
    const since = half - track.to;
    const speed = ((b - a) * (1 - bezier(track.curve, 0.99))) / 0.01 / (track.to - track.from);
    const ring = since > 0 ? (speed / track.rate) * Math.exp(-track.decay * since) * Math.sin(track.rate * since) : 0;
    return a + (b - a) * bezier(track.curve, x) + ring;
  };
  return {
    size: [480, 480],
    frames: 2 * RATE,
    draw(ctx, i) {
      const frame = (i * 60) / RATE;
      ctx.beginPath();
      ctx.moveTo(value(tracks.bottom, frame), 390);
      ctx.lineTo(value(tracks.top, frame), 200);
      Object.assign(ctx, { lineWidth: 60, lineCap: "round", strokeStyle: INK });
      ctx.stroke();
      disc(ctx, value(tracks.dot, frame), 110, 36, RUST);
    },
  };
}

/** A ring of springs under pressure. */
function membrane() {
  const count = 26, side = 480, radius = side * 0.16, home = side / 2;
  const target = 1.15 * Math.PI * radius * radius, rest = 2 * radius * Math.sin(Math.PI / count);
  const points = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return { x: home + radius * Math.cos(angle), y: home + radius * Math.sin(angle), vx: 0, vy: 0 };
  });
  const area = () => points.reduce((sum, p, i) => {
    const q = points[(i + 1) % count];
    return sum + p.x * q.y - q.x * p.y;
  }, 0) / 2;
  const step = () => {
    const pressure = 0.7 * (target / Math.max(area(), 1) - 1);
    points.forEach((p, i) => {
      const before = points[(i + count - 1) % count], after = points[(i + 1) % count];
      for (const q of [before, after]) {
        const [dx, dy] = [q.x - p.x, q.y - p.y];
        const length = Math.hypot(dx, dy) || 1;
        const pull = (0.22 * (length - rest)) / length;
        p.vx += dx * pull;
        p.vy += dy * pull;
      }
      p.vx += (after.y - before.y) * pressure * 0.5 + (home - p.x) * 0.014;
      p.vy += (before.x - after.x) * pressure * 0.5 + (home - p.y) * 0.014 + side * 0.0009;
    });
    for (const p of points) {
      p.vx *= 0.97;
      p.vy *= 0.97;
      p.x = clamp(p.x + p.vx, side * 0.03, side * 0.97);
      p.y = clamp(p.y + p.vy, side * 0.03, side * 0.97);
    }
  };
  const outline = (ctx) => {
    ctx.beginPath();
    points.forEach((p, i) => {
      const [o, q, r] = [-1, 1, 2].map((d) => points[(i + d + count) % count]);
      if (i === 0) ctx.moveTo(p.x, p.y);
      ctx.bezierCurveTo(p.x + (q.x - o.x) / 6, p.y + (q.y - o.y) / 6, q.x - (r.x - p.x) / 6, q.y - (r.y - p.y) / 6, q.x, q.y);
    });
    ctx.closePath();
  };
  let done = 0;
  return {
    size: [side, side],
    frames: 4 * RATE,
    draw(ctx, i) {
      for (; done < (i * 60) / RATE; done++) step();
      Object.assign(ctx, { lineWidth: 2, lineCap: "butt", strokeStyle: "#d6d0c2" });
      ctx.setLineDash([2, 6]);
      ctx.beginPath();
      ctx.arc(home, home, radius, 0, 2 * Math.PI);
      ctx.stroke();
      ctx.setLineDash([]);
      outline(ctx);
      Object.assign(ctx, { fillStyle: "#ece6d8", strokeStyle: RUST, lineWidth: 4 });
      ctx.fill();
      ctx.stroke();
      Object.assign(ctx, { strokeStyle: "#6f6a5f", lineWidth: 2 });
      ctx.beginPath();
      ctx.moveTo(home - 8, home);
      ctx.lineTo(home + 8, home);
      ctx.moveTo(home, home - 8);
      ctx.lineTo(home, home + 8);
      ctx.stroke();
      points.forEach((p) => disc(ctx, p.x, p.y, 4, INK));
      ctx.font = "20px sans-serif";
      ctx.fillStyle = INK;
      ctx.fillText("26 springs, one pressure", 32, 52);
      ctx.fillStyle = "#6f6a5f";
      ctx.fillText(`area ${(area() / target).toFixed(3)}`, 32, 446);
    },
  };
}

/** Labelled balls that fall into a box; a hand throws one of them. */
function playground() {
  const names = "Astro Rust TypeScript CSS HTML Figma Git Node Vite React Svelte SQL Docker Linux".split(" ");
  const places = [[62, 84, 38], [160, 48, 44], [268, 96, 48], [362, 40, 32], [446, 92, 37], [530, 44, 35], [600, 100, 30],
    [44, -40, 36], [120, -92, 32], [216, -60, 40], [318, -84, 38], [410, -50, 33], [506, -72, 44], [592, -40, 40]];
  const fills = ["#0c7b7c", RUST, "#5c3a78", "#e0a526", "#0c7b7c"], words = ["#fff", "#fff", "#fff", INK, "#fff"];
  const balls = places.map(([x, y, radius], i) => ({ x, y, radius, vx: 0, vy: 0, name: names[i] }));
  const keys = [[0, 700, 260], [1.7, 700, 260], [2.3, 197, 316], [2.45, 197, 316], [2.95, 250, 104], [3.35, 128, 154],
    [3.7, 214, 100], [4.1, 300, 120], [4.9, 700, 250], [9, 700, 250]];
  const hand = (t) => {
    const next = keys.findIndex((key) => key[0] > t);
    const [a, b] = [keys[next - 1], keys[next]];
    const u = (t - a[0]) / (b[0] - a[0]), s = u * u * (3 - 2 * u);
    return [a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s];
  };
  const tick = 1 / 240;
  let time = 0;
  const step = () => {
    const held = time >= 2.38 && time < 3.7;
    for (const ball of balls) {
      ball.vy += 1224 * tick;
      ball.x += ball.vx * tick;
      ball.y += ball.vy * tick;
      if (ball.x < ball.radius || ball.x > 640 - ball.radius) ball.vx *= -0.55;
      if (ball.y > 360 - ball.radius) {
        ball.vy *= Math.abs(ball.vy) < 60 ? 0 : -0.55;
        ball.vx *= 0.99;
      }
      ball.x = clamp(ball.x, ball.radius, 640 - ball.radius);
      ball.y = Math.min(ball.y, 360 - ball.radius);
    }
    if (held) {
      const [x, y] = hand(time), [nx, ny] = hand(time + tick), ball = balls[1];
      Object.assign(ball, { x, y, vx: ((nx - x) / tick) * 0.9, vy: ((ny - y) / tick) * 0.9 });
    }
    for (let round = 0; round < 4; round++)
      balls.forEach((a, i) => balls.slice(i + 1).forEach((b) => {
        const [dx, dy] = [b.x - a.x, b.y - a.y], gap = Math.hypot(dx, dy) || 1, overlap = a.radius + b.radius - gap;
        if (overlap <= 0) return;
        const [nx, ny] = [dx / gap, dy / gap], share = b.radius ** 2 / (a.radius ** 2 + b.radius ** 2);
        a.x -= nx * overlap * share;
        a.y -= ny * overlap * share;
        b.x += nx * overlap * (1 - share);
        b.y += ny * overlap * (1 - share);
        const speed = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny;
        if (speed >= 0) return;
        const push = speed * (speed < -60 ? 1.55 : 1);
        a.vx += nx * push * share;
        a.vy += ny * push * share;
        b.vx -= nx * push * (1 - share);
        b.vy -= ny * push * (1 - share);
      }));
    time += tick;
  };
  return {
    size: [640, 360],
    frames: 7 * RATE,
    draw(ctx, i) {
      while (time < i / RATE) step();
      balls.forEach((ball, i) => disc(ctx, ball.x, ball.y, ball.radius, fills[i % fills.length]));
      Object.assign(ctx, { textAlign: "center", textBaseline: "middle" });
      balls.forEach((ball, i) => {
        let size = Math.min(18, ball.radius / 2);
        ctx.font = `${size}px sans-serif`;
        size *= Math.min(1, (1.68 * ball.radius) / ctx.measureText(ball.name).width);
        ctx.font = `${size}px sans-serif`;
        ctx.fillStyle = words[i % words.length];
        ctx.fillText(ball.name, ball.x, ball.y);
      });
      const [x, y] = hand(i / RATE);
      ctx.beginPath();
      [[0, 0], [0, 17], [4, 13], [7, 20], [10, 19], [7, 12], [12, 12]].forEach(([dx, dy]) => ctx.lineTo(x + dx, y + dy));
      ctx.closePath();
      Object.assign(ctx, { fillStyle: INK, strokeStyle: PAPER, lineWidth: 1.6 });
      ctx.fill();
      ctx.stroke();
    },
  };
}

const figures = { "letter-i": letter, membrane, playground };

function frame(figure, ctx, i) {
  const [width, height] = figure.size;
  ctx.fillStyle = PAPER;
  ctx.fillRect(0, 0, width, height);
  figure.draw(ctx, i);
  return ctx.getImageData(0, 0, width, height).data;
}

function main([name, out, each]) {
  const [width, height] = figures[name]().size;
  const ctx = createCanvas(width, height).getContext("2d");
  const sample = figures[name]();
  const some = [0, 1, 2, 3].map((i) => frame(sample, ctx, Math.floor((i * sample.frames) / 4)));
  const pixels = new Uint8Array(some.length * some[0].length);
  some.forEach((data, i) => pixels.set(data, i * data.length));
  const palette = quantize(pixels, 256);
  const figure = figures[name]();
  const gif = GIFEncoder();
  for (let i = 0; i < figure.frames; i++) {
    const data = frame(figure, ctx, i);
    const own = each ? quantize(data, 256) : palette;
    const indices = applyPalette(data, own);
    gif.writeFrame(indices, width, height, { palette: each || i === 0 ? own : undefined, delay: 1000 / RATE });
  }
  gif.finish();
  fs.writeFileSync(out, gif.bytes());
}

main(process.argv.slice(2));

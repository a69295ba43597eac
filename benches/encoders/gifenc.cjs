// Encodes PNG frames with gifenc, as its documentation does: a palette for each frame. `gifenc.cjs FOLDER OUT FPS`

const fs = require("fs");
const path = require("path");
const { GIFEncoder, quantize, applyPalette } = require("gifenc");
const { PNG } = require("pngjs");

const [folder, out, fps] = process.argv.slice(2);
const gif = GIFEncoder();
const begins = (frame) => Math.floor((frame * 100) / Number(fps));
fs.readdirSync(folder)
  .sort()
  .forEach((name, i) => {
    const { width, height, data } = PNG.sync.read(fs.readFileSync(path.join(folder, name)));
    const palette = quantize(data, 256);
    const delay = 10 * (begins(i + 1) - begins(i));
    gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay });
  });
gif.finish();
fs.writeFileSync(out, gif.bytes());

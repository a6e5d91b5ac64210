import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = fileURLToPath(new URL('.', import.meta.url));
const modules = join(here, 'node_modules', '@tensorflow');
const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm', bin: 'application/octet-stream' };

// serve gives the page, TensorFlow.js and the inputs. The two headers isolate the page, without
// which there are neither threads for WASM nor a clock of microseconds.
async function serve(inputs) {
  const roots = { page: here, tfjs: join(modules, 'tfjs', 'dist'), wasm: join(modules, 'tfjs-backend-wasm', 'dist'), inputs };
  const server = createServer(async (request, response) => {
    const [, root, ...rest] = normalize(new URL(request.url, 'http://x').pathname).split('/');
    try {
      const data = await readFile(join(roots[root], ...rest));
      response.writeHead(200, {
        'content-type': types[rest.at(-1).split('.').at(-1)] ?? 'text/plain',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      });
      response.end(data);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}

// Browser is Chromium on the OpenGL driver that Inkshade uses: through EGL and ANGLE, never
// on the software renderer that Chromium brings along.
export class Browser {
  static async open(executablePath, inputs) {
    const b = new Browser();
    b.server = await serve(inputs);
    b.chromium = await chromium.launch({
      executablePath, headless: true,
      // Chromium's sandbox does not work for root.
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--disable-gpu-watchdog'],
    });
    b.version = b.chromium.version();
    return b;
  }

  async close() {
    await this.chromium.close();
    this.server.close();
  }
}

// TensorFlow.js with one backend, in a page of its own.
export class TensorFlow {
  static async open(browser, backend, threads) {
    const s = new TensorFlow();
    s.page = await browser.chromium.newPage();
    s.page.on('pageerror', (e) => console.error(`TensorFlow.js ${backend}: ${e}`));
    await s.page.goto(`http://127.0.0.1:${browser.server.address().port}/page/page.html`);
    const { version, renderer } = await s.page.evaluate(([b, t]) => window.station.open(b, t), [backend, threads]);
    s.name = `TensorFlow.js ${backend === 'webgl' ? 'WebGL' : 'WASM'}`;
    s.version = `${version}, Chromium ${browser.version}, ${renderer}`;
    s.renderer = renderer;
    return s;
  }

  async prepare(c) { return this.page.evaluate((x) => window.station.prepare(x), c); }
  async turn(ms) { return this.page.evaluate((x) => window.station.turn(x), ms); }
  async close() { await this.page.close(); }
}

// The cases in TensorFlow.js, as its manual has them: fused layers where there are such,
// weights on the device, results read synchronously, which is faster here than waiting.
/* global tf */
import { replay } from './station.mjs';

const inputs = 784;
const classes = 10;

async function floats(name) {
  const response = await fetch(`/inputs/${name}.bin`);
  return new Float32Array(await response.arrayBuffer());
}

// A perceptron, and a small convolutional network. Filters are [height][width][in][out] in the
// files of both.
const networks = {
  perceptron: {
    shapes: { w1: [inputs, 800], b1: [800], w2: [800, classes], b2: [classes] },
    pixels: (rows) => [rows, inputs],
    logits(x, w) {
      const h = tf.tanh(tf.fused.matMul({ a: x, b: w.w1, bias: w.b1 }));
      return tf.fused.matMul({ a: h, b: w.w2, bias: w.b2 });
    },
  },
  convolution: {
    shapes: {
      f1: [5, 5, 1, 32], c1: [32], f2: [5, 5, 32, 64], c2: [64], v1: [1024, 128], d1: [128], v2: [128, classes], d2: [classes],
    },
    pixels: (rows) => [rows, 28, 28, 1],
    logits(x, w) {
      const layer = (a, filter, bias) => tf.maxPool(
        tf.fused.conv2d({ x: a, filter, strides: 1, pad: 'valid', bias, activation: 'relu' }), 2, 2, 'valid');
      const images = layer(layer(x, w.f1, w.c1), w.f2, w.c2);
      const h = tf.fused.matMul({ a: images.reshape([x.shape[0], 1024]), b: w.v1, bias: w.d1, activation: 'relu' });
      return tf.fused.matMul({ a: h, b: w.v2, bias: w.d2 });
    },
  },
};

async function weights(network) {
  const all = {};
  for (const [name, shape] of Object.entries(network.shapes)) all[name] = tf.tensor(await floats(name), shape);
  return all;
}

const recognition = (network) => async (size) => {
  const w = await weights(network);
  const pixels = (await floats('pixels')).slice(0, size * inputs);
  const once = () => tf.tidy(() => tf.softmax(network.logits(tf.tensor(pixels, network.pixels(size)), w)).dataSync());
  return { once, proof: () => once().slice(0, classes) };
};

const trainingStep = (network) => async (size) => {
  const w = await weights(network);
  for (const name of Object.keys(w)) w[name] = tf.variable(w[name]);
  const pixels = (await floats('pixels')).slice(0, size * inputs);
  const wanted = new Float32Array(size * classes);
  for (let i = 0; i < size; i++) wanted[i * classes + (i % classes)] = 1;
  const optimizer = tf.train.momentum(0.01, 0.9);
  const batch = () => [tf.tensor(pixels, network.pixels(size)), tf.tensor2d(wanted, [size, classes])];
  const once = () => tf.tidy(() => {
    const [x, target] = batch();
    return optimizer.minimize(() => tf.losses.softmaxCrossEntropy(target, network.logits(x, w)), true).dataSync();
  });
  const losses = () => tf.tidy(() => {
    const [x, target] = batch();
    return tf.losses.softmaxCrossEntropy(target, network.logits(x, w), undefined, undefined, tf.Reduction.NONE).dataSync();
  });
  return { once, proof: () => { once(); once(); return losses().slice(0, 10); } };
};

const experiments = {
  recognition: recognition(networks.perceptron),
  'training-step': trainingStep(networks.perceptron),
  convolution: recognition(networks.convolution),
  'convolution-step': trainingStep(networks.convolution),

  async product(size) {
    const a = tf.tensor2d(await floats(`left${size}`), [size, size]);
    const b = tf.tensor2d(await floats(`right${size}`), [size, size]);
    // One value is read, which waits for all.
    const once = () => tf.tidy(() => tf.matMul(a, b).slice([0, 0], [1, 1]).dataSync());
    return { once, proof: () => tf.tidy(() => tf.matMul(a, b).dataSync().slice(0, 10)) };
  },
};

let once;

window.station = {
  async open(backend, threads) {
    if (backend === 'wasm') {
      tf.wasm.setWasmPaths('/wasm/');
      tf.wasm.setThreadsCount(threads);
    }
    if (!await tf.setBackend(backend)) throw new Error(`no backend ${backend}`);
    await tf.ready();
    let renderer = '';
    if (backend === 'webgl') {
      const gl = tf.backend().gpgpu.gl;
      const about = gl.getExtension('WEBGL_debug_renderer_info');
      renderer = gl.getParameter(about.UNMASKED_RENDERER_WEBGL);
    } else {
      const simd = await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT');
      const parallel = await tf.env().getAsync('WASM_HAS_MULTITHREAD_SUPPORT');
      renderer = `SIMD ${simd}, ${parallel ? tf.wasm.getThreadsCount() : 1} threads`;
    }
    return { version: tf.version.tfjs, renderer };
  },

  async prepare({ experiment, size }) {
    if (once) tf.engine().endScope();
    tf.disposeVariables();
    tf.engine().startScope();
    const made = await experiments[experiment](size);
    once = made.once;
    return Array.from(made.proof());
  },

  turn: (ms) => replay(once, ms),
};

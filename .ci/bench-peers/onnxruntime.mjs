import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { replay } from './station.mjs';
import { productModel } from './onnx.mjs';

// ONNX Runtime on the processor. It has no training in this package.
export class OnnxRuntime {
  constructor(inputs, threads) {
    this.inputs = inputs;
    this.options = { executionProviders: ['cpu'], graphOptimizationLevel: 'all', intraOpNumThreads: threads };
    this.name = 'ONNX Runtime CPU';
    this.version = `${ort.env.versions.node}, ${threads} threads`;
  }

  async floats(name) {
    const bytes = await readFile(join(this.inputs, name + '.bin'));
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  async prepare({ experiment, size }) {
    await this.release();
    let output;
    const file = { recognition: 'network.onnx', convolution: 'convolution.onnx' }[experiment];
    if (file) {
      this.session = await ort.InferenceSession.create(join(this.inputs, file), this.options);
      const pixels = (await this.floats('pixels')).slice(0, size * 784);
      output = 'probabilities';
      this.once = () => this.session.run({ [this.session.inputNames[0]]: new ort.Tensor('float32', pixels, [size, 1, 28, 28]) });
    } else if (experiment === 'product') {
      this.session = await ort.InferenceSession.create(productModel(size), this.options);
      const a = new ort.Tensor('float32', await this.floats(`left${size}`), [size, size]);
      const b = new ort.Tensor('float32', await this.floats(`right${size}`), [size, size]);
      output = 'c';
      this.once = () => this.session.run({ a, b });
    } else {
      throw new Error('inference only');
    }
    return Array.from((await this.once())[output].data.slice(0, 10));
  }

  async turn(ms) { return replay(this.once, ms); }

  async release() {
    await this.session?.release();
    this.session = undefined;
  }

  async close() { await this.release(); }
}

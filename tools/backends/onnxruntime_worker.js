// A worker for Touchstone (conformance/backends/workers/README.md) that runs models with ONNX Runtime for JavaScript:
//
//     node onnxruntime_worker.js MODULES LEVEL PROVIDER
//
// MODULES is the directory of the package onnxruntime-web or onnxruntime-node, and of protobufjs.
//
// An exception is a refusal. One of WebAssembly itself, such as an access out of bounds, ends this process, because
// nothing can be computed after it.
'use strict';

const fs = require('fs');
const path = require('path');

const [modules, graphOptimizationLevel, provider] = process.argv.slice(2);
const load = (name) => require(path.join(modules, name));
const name = provider === 'wasm' ? 'onnxruntime-web' : 'onnxruntime-node';
const ort = load(name);
const protobuf = load('protobufjs');

const protocol = protobuf.loadSync(path.join(__dirname, '../../conformance/backends/workers/worker.proto'));
const message = (of) => protocol.lookupType(`touchstone.worker.${of}`);

// One thread, because cases are small and each job has its own worker. Many models must be refused, and the exception
// has the reason, too.
ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;
const OPTIONS = {
  executionProviders: [provider],
  graphOptimizationLevel,
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 4,
};

// By the number in onnx.TensorProto.DataType. There are no tensors of other types in JavaScript.
const TYPES = new Map([
  [1, ['float32', Float32Array]],
  [2, ['uint8', Uint8Array]],
  [3, ['int8', Int8Array]],
  [4, ['uint16', Uint16Array]],
  [5, ['int16', Int16Array]],
  [6, ['int32', Int32Array]],
  [7, ['int64', BigInt64Array]],
  [9, ['bool', Uint8Array]],
  [10, ['float16', Uint16Array]],
  [11, ['float64', Float64Array]],
  [12, ['uint32', Uint32Array]],
  [13, ['uint64', BigUint64Array]],
  [21, ['uint4', Uint8Array]],
  [22, ['int4', Uint8Array]],
]);
const CODES = new Map(Array.from(TYPES, ([code, [type]]) => [type, code]));

function toOrt({ dims, dataType, rawData }) {
  if (!TYPES.has(dataType)) throw new TypeError(`${name} has no tensors of ONNX's element type ${dataType}`);
  const [type, TypedArray] = TYPES.get(dataType);
  return new ort.Tensor(type, new TypedArray(Uint8Array.from(rawData).buffer), dims.map(Number));
}

function fromOrt({ dims, type, data }) {
  if (!CODES.has(type)) throw new TypeError(`an output is of the type ${type}`);
  return { dims, dataType: CODES.get(type), rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

function refusal(error) {
  if (error instanceof WebAssembly.RuntimeError) throw error;
  return { refusal: String(error.message ?? error) };
}

// Inputs and outputs are in the order of the graph's.
async function answer(session, inputs) {
  try {
    if (inputs.length !== session.inputNames.length) {
      throw new RangeError(`${inputs.length} inputs for a session with ${session.inputNames.length}`);
    }
    const feeds = Object.fromEntries(inputs.map((input, k) => [session.inputNames[k], toOrt(input)]));
    const outputs = await session.run(feeds);
    return { outputs: { tensors: session.outputNames.map((output) => fromOrt(outputs[output])) } };
  } catch (error) {
    return refusal(error);
  }
}

async function respond({ number, model, inputSets }) {
  let session;
  try {
    session = await ort.InferenceSession.create(Uint8Array.from(model), OPTIONS);
  } catch (error) {
    return { number, ...refusal(error) };
  }
  const answers = [];
  for (const { inputs } of inputSets) answers.push(await answer(session, inputs));
  await session.release();
  return { number, answers: { answers } };
}

function descriptor(variable) {
  if (/^\d+$/.test(process.env[variable])) return Number(process.env[variable]);
  throw new Error(`${variable} is not the number of a descriptor: this is started by touchstone run --backend ${name}`);
}

// Fewer bytes at the end of the stream.
function read(file, size) {
  const bytes = Buffer.alloc(size);
  let count = 0;
  for (let more = 1; count < size && more > 0; count += more) more = fs.readSync(file, bytes, count, size - count);
  return bytes.subarray(0, count);
}

// Null at the end of the stream. Each message is preceded by its size in bytes, as a base-128 varint.
function readMessage(file, of) {
  let size = 0;
  for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
    const next = read(file, 1);
    if (!next.length && !shift) return null;
    if (!next.length || shift > 28) throw new Error('the requests are damaged: no size of a message');
    byte = next[0];
    size += (byte & 0x7f) * 2 ** shift;
  }
  const bytes = read(file, size);
  if (bytes.length < size) throw new Error(`the requests end after ${bytes.length} of the ${size} bytes of a message`);
  return of.decode(bytes);
}

function writeMessage(file, of, content) {
  const bytes = of.encodeDelimited(of.fromObject(content)).finish();
  for (let count = 0; count < bytes.length; ) count += fs.writeSync(file, bytes, count);
}

async function main() {
  const requests = descriptor('TOUCHSTONE_REQUESTS_FD');
  const responses = descriptor('TOUCHSTONE_RESPONSES_FD');
  writeMessage(responses, message('Hello'), {
    protocol: 1,
    name,
    version: load(`${name}/package.json`).version,
    description: `${provider}, graph optimizations ${graphOptimizationLevel}; Node.js ${process.versions.node}`,
  });
  for (let request; (request = readMessage(requests, message('Request'))); ) {
    writeMessage(responses, message('Response'), await respond(request));
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);

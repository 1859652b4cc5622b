//! Models and tensors of ONNX in rten.

use std::error::Error;
use std::iter::zip;

use rten::{Model, ModelOptions, Value, ValueOrView};
use rten_tensor::{AsView, Layout, Tensor as Array};

use crate::protocol::Tensor;

/// Numbers of onnx.TensorProto.DataType. rten has no other types: it reads int64 and bool as int32, float64 as float32.
const FLOAT: i32 = 1;
const UINT8: i32 = 2;
const INT8: i32 = 3;
const INT32: i32 = 6;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

pub struct Prepared(Model);

pub fn prepare(model: &[u8], optimized: bool) -> Result<Prepared> {
    Ok(Prepared(ModelOptions::with_all_ops().enable_optimization(optimized).load(model.to_vec())?))
}

impl Prepared {
    /// Inputs and outputs are in the order of the graph's.
    pub fn run(&self, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
        let ids = self.0.input_ids();
        if ids.len() != inputs.len() {
            return Err(format!("{} inputs for a graph with {}", inputs.len(), ids.len()).into());
        }
        let named = zip(ids, inputs).map(|(&id, input)| Ok((id, ValueOrView::from(to_value(input)?))));
        let outputs = self.0.run(named.collect::<Result<_>>()?, self.0.output_ids(), None)?;
        outputs.into_iter().map(to_proto).collect()
    }
}

fn to_value(tensor: &Tensor) -> Result<Value> {
    let shape: Vec<_> = tensor.dims.iter().map(|&size| size as usize).collect();
    let bytes = &tensor.raw_data;
    let words = || bytes.as_chunks().0.iter().copied();
    Ok(match tensor.data_type {
        FLOAT => Value::from_shape(shape, words().map(f32::from_le_bytes).collect::<Vec<_>>())?,
        INT32 => Value::from_shape(shape, words().map(i32::from_le_bytes).collect::<Vec<_>>())?,
        INT8 => Value::from_shape(shape, bytes.iter().map(|&byte| byte as i8).collect::<Vec<_>>())?,
        UINT8 => Value::from_shape(shape, bytes.clone())?,
        other => return Err(format!("rten has no tensors of ONNX's element type {other}").into()),
    })
}

fn to_proto(value: Value) -> Result<Tensor> {
    match value {
        Value::FloatTensor(array) => Ok(encoded(FLOAT, &array, |x| x.to_le_bytes())),
        Value::Int32Tensor(array) => Ok(encoded(INT32, &array, |x| x.to_le_bytes())),
        Value::Int8Tensor(array) => Ok(encoded(INT8, &array, |x| x.to_le_bytes())),
        Value::UInt8Tensor(array) => Ok(encoded(UINT8, &array, |x| x.to_le_bytes())),
        other => Err(format!("an output is a {}", other.dtype()).into()),
    }
}

fn encoded<T: Copy, const N: usize>(data_type: i32, array: &Array<T>, bytes: impl Fn(T) -> [u8; N]) -> Tensor {
    Tensor {
        dims: array.shape().iter().map(|&size| size as i64).collect(),
        data_type,
        raw_data: array.iter().flat_map(|&x| bytes(x)).collect(),
        ..Default::default()
    }
}

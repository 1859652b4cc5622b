//! Models and tensors of ONNX in tract.

use std::str::FromStr;
use std::sync::Arc;

use tract_onnx::pb::TensorProto;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::prelude::*;
use tract_onnx::tensor::load_tensor;
use tract_onnx::tract_core::internal::{bail, format_err};

/// How a model is prepared before it runs.
#[derive(Clone, Copy)]
pub enum Preparation {
    Optimized,
    Plain,
}

impl Preparation {
    pub fn description(self) -> &'static str {
        match self {
            Self::Optimized => "CPU, into_optimized",
            Self::Plain => "CPU, into_typed: nothing is optimized",
        }
    }
}

impl FromStr for Preparation {
    type Err = TractError;

    fn from_str(name: &str) -> TractResult<Self> {
        match name {
            "optimized" => Ok(Self::Optimized),
            "plain" => Ok(Self::Plain),
            _ => bail!("there is no preparation '{name}'; there is optimized, plain"),
        }
    }
}

pub struct Prepared(Arc<TypedRunnableModel>);

pub fn prepare(mut model: &[u8], preparation: Preparation) -> TractResult<Prepared> {
    let parsed = tract_onnx::onnx().model_for_read(&mut model)?;
    let typed = match preparation {
        Preparation::Optimized => parsed.into_optimized(),
        Preparation::Plain => parsed.into_typed(),
    }?;
    Ok(Prepared(typed.into_runnable()?))
}

impl Prepared {
    /// Inputs and outputs are in the order of the graph's.
    pub fn run(&self, inputs: &[TensorProto]) -> TractResult<Vec<TensorProto>> {
        let inputs = inputs.iter().map(to_value).collect::<TractResult<_>>()?;
        self.0.run(inputs)?.iter().map(to_proto).collect()
    }
}

/// Fails for element types that tract does not have, and names them.
fn to_value(tensor: &TensorProto) -> TractResult<TValue> {
    let provider = tract_onnx::onnx().provider;
    Ok(load_tensor(&*provider, tensor, None)?.into_tvalue())
}

fn to_proto(value: &TValue) -> TractResult<TensorProto> {
    Ok(TensorProto {
        dims: value.shape().iter().map(|&size| size as i64).collect(),
        data_type: data_type(value.datum_type())? as i32,
        raw_data: value.as_bytes().to_vec(),
        ..Default::default()
    })
}

fn data_type(of: DatumType) -> TractResult<DataType> {
    (1..)
        .map_while(|code| DataType::try_from(code).ok())
        .find(|&known| DatumType::try_from(known).is_ok_and(|known| known == of.unquantized()))
        .ok_or_else(|| format_err!("an output is of {of:?}, which no tensor of ONNX can hold"))
}

from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Answer(_message.Message):
    __slots__ = ["defect", "outputs", "refusal"]
    DEFECT_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    defect: str
    outputs: Outputs
    refusal: str
    def __init__(self, refusal: _Optional[str] = ..., outputs: _Optional[_Union[Outputs, _Mapping]] = ..., defect: _Optional[str] = ...) -> None: ...

class Answers(_message.Message):
    __slots__ = ["answers"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class Capabilities(_message.Message):
    __slots__ = ["constant_scales_only", "element_types", "opsets", "static_shapes_only"]
    CONSTANT_SCALES_ONLY_FIELD_NUMBER: _ClassVar[int]
    ELEMENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    OPSETS_FIELD_NUMBER: _ClassVar[int]
    STATIC_SHAPES_ONLY_FIELD_NUMBER: _ClassVar[int]
    constant_scales_only: bool
    element_types: _containers.RepeatedScalarFieldContainer[int]
    opsets: _containers.RepeatedCompositeFieldContainer[OpsetRange]
    static_shapes_only: bool
    def __init__(self, element_types: _Optional[_Iterable[int]] = ..., opsets: _Optional[_Iterable[_Union[OpsetRange, _Mapping]]] = ..., constant_scales_only: bool = ..., static_shapes_only: bool = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ["capabilities", "description", "name", "protocol", "version"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    capabilities: Capabilities
    description: str
    name: str
    protocol: int
    version: str
    def __init__(self, protocol: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., description: _Optional[str] = ..., capabilities: _Optional[_Union[Capabilities, _Mapping]] = ...) -> None: ...

class InputSet(_message.Message):
    __slots__ = ["inputs"]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    inputs: _containers.RepeatedCompositeFieldContainer[Tensor]
    def __init__(self, inputs: _Optional[_Iterable[_Union[Tensor, _Mapping]]] = ...) -> None: ...

class OpsetRange(_message.Message):
    __slots__ = ["domain", "newest", "oldest"]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    OLDEST_FIELD_NUMBER: _ClassVar[int]
    domain: str
    newest: int
    oldest: int
    def __init__(self, domain: _Optional[str] = ..., oldest: _Optional[int] = ..., newest: _Optional[int] = ...) -> None: ...

class Outputs(_message.Message):
    __slots__ = ["tensors"]
    TENSORS_FIELD_NUMBER: _ClassVar[int]
    tensors: _containers.RepeatedCompositeFieldContainer[Tensor]
    def __init__(self, tensors: _Optional[_Iterable[_Union[Tensor, _Mapping]]] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ["case_id", "input_sets", "model", "number"]
    CASE_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_SETS_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    case_id: str
    input_sets: _containers.RepeatedCompositeFieldContainer[InputSet]
    model: bytes
    number: int
    def __init__(self, number: _Optional[int] = ..., case_id: _Optional[str] = ..., model: _Optional[bytes] = ..., input_sets: _Optional[_Iterable[_Union[InputSet, _Mapping]]] = ...) -> None: ...

class Response(_message.Message):
    __slots__ = ["answers", "number", "refusal"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    answers: Answers
    number: int
    refusal: str
    def __init__(self, number: _Optional[int] = ..., refusal: _Optional[str] = ..., answers: _Optional[_Union[Answers, _Mapping]] = ...) -> None: ...

class Tensor(_message.Message):
    __slots__ = ["data_type", "dims", "name", "raw_data"]
    DATA_TYPE_FIELD_NUMBER: _ClassVar[int]
    DIMS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RAW_DATA_FIELD_NUMBER: _ClassVar[int]
    data_type: int
    dims: _containers.RepeatedScalarFieldContainer[int]
    name: str
    raw_data: bytes
    def __init__(self, dims: _Optional[_Iterable[int]] = ..., data_type: _Optional[int] = ..., name: _Optional[str] = ..., raw_data: _Optional[bytes] = ...) -> None: ...

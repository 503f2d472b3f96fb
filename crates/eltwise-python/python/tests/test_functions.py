"""The functions as Python objects: names, docstrings, signatures, pickles; attributes of the module."""

import copy
import builtins
import inspect
import pickle
import re

import eltwise
import pytest

NAMES = [*eltwise.operators(), "clip", "broadcast_shapes", "broadcast_arrays", "compile", "isa", "isas", "operators"]
NAMES += ["set_num_threads", "get_num_threads", "divmod", "modf", "frexp", "sincos"]


@pytest.mark.parametrize("name", NAMES)
def test_functions_have_a_name_a_docstring_and_a_signature(name):
    function = getattr(eltwise, name)
    assert function.__name__ == name
    assert function.__doc__ and len(function.__doc__) > 20
    assert function.__module__.split(".")[0] == "eltwise"
    assert isinstance(inspect.signature(function), inspect.Signature)
    # `from eltwise import *` does not replace builtins.
    assert (name in eltwise.__all__) != hasattr(builtins, name)


@pytest.mark.parametrize("name", eltwise.operators())
def test_pickles_are_the_same_function(name):
    function = getattr(eltwise, name)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(function, protocol)) is function
    assert copy.deepcopy(function) is function


def test_parameter_names_and_defaults():
    def parameters(name):
        return [p.name for p in inspect.signature(getattr(eltwise, name)).parameters.values()]

    ufunc = ["where", "dtype", "casting", "order", "subok"]
    assert parameters("add") == ["x", "y", "out", "broadcast", "axis", "accuracy", *ufunc]
    assert parameters("negative") == ["x", "out", "accuracy", *ufunc]
    assert parameters("clamp") == ["x", "lo", "hi", "out", "broadcast", "accuracy", *ufunc]
    assert parameters("fma")[:4] == ["x", "y", "z", "out"]
    assert parameters("where")[:4] == ["cond", "x", "y", "out"]
    assert parameters("cast") == ["x", "dtype", "out"]
    assert parameters("copy")[:2] == ["x", "out"]
    assert parameters("clip")[:4] == ["x", "min", "max", "out"]
    assert parameters("broadcast_to") == ["x", "shape", "broadcast", "axis"]
    assert parameters("broadcast_shapes") == ["shapes", "broadcast", "axis", "target"]
    assert parameters("compile") == ["expression", "names", "accuracy", "contract"]
    assert inspect.signature(eltwise.add).parameters["broadcast"].default == "numpy"
    assert inspect.signature(eltwise.add).parameters["axis"].default == -1


def test_the_configuration_is_printed_or_returned(capsys):
    config = eltwise.show_config("dicts")
    assert config["Instruction sets"]["in use"] == eltwise.isa()
    eltwise.show_config()
    printed = capsys.readouterr().out
    assert all(f"{section}:" in printed for section in config) and eltwise.__version__ in printed
    with pytest.raises(ValueError, match="mode='x', expected 'stdout' or 'dicts'"):
        eltwise.show_config("x")


def test_attributes_of_the_module():
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", eltwise.__version__)
    assert eltwise.__doc__
    assert all(hasattr(eltwise, name) for name in eltwise.__all__)
    assert len(set(eltwise.__all__)) == len(eltwise.__all__)
    assert isinstance(eltwise.operators(), tuple) and len(set(eltwise.operators())) == len(eltwise.operators())
    assert set(eltwise.__all__) <= set(dir(eltwise))

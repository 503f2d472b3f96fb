"""eltwise: the function of one operator, `eltwise.compile` for several."""

import eltwise

from ..case import Problem
from ..expression import Input, operators, single
from .base import Engine, Prepared, Unsupported, bind


class Adapter(Engine):
    name = "eltwise"

    def __init__(self, settings):
        super().__init__(settings)
        eltwise.set_num_threads(settings.threads)
        if settings.isa:
            # A context manager, entered for the rest of the process.
            self.isa_limit = eltwise.isa(settings.isa)
            self.isa_limit.__enter__()

    def version(self) -> str:
        return f"{getattr(eltwise, '__version__', '?')} ({eltwise.isa()})"

    def missing(self, problem: Problem) -> str | None:
        return next((op for op in operators(problem.tree) if not hasattr(eltwise, op)), None)

    def prepare(self, problem: Problem) -> Prepared:
        absent = self.missing(problem)
        if absent:
            raise Unsupported(f"no {absent}")
        function, arguments = self._function(problem)
        if problem.out is None:
            return Prepared(bind(function, *arguments), lambda value: value)
        return Prepared(bind(function, *arguments, out=problem.out), lambda value: problem.out)

    def _function(self, problem: Problem):
        tree = problem.tree
        if not single(tree):
            return eltwise.compile(problem.case.expression.replace("'", ""), problem.letters), problem.arrays
        arguments = [problem.array(x.name) if isinstance(x, Input) else x.value for x in tree.args]
        if tree.op == "cast":
            return eltwise.cast, [*arguments, problem.dtype]
        return getattr(eltwise, tree.op), arguments

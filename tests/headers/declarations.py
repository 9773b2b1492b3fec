"""The declarations in a set of headers, as parsed by clang: enumerators, layouts, typedefs, functions and macros."""

import json
import os
import re
import subprocess
import tempfile


# Calls that only device code has are ignored.
DEVICE_CALLS = "cuda_device_runtime_api.h"


class Headers:
    """The headers of one include folder, seen through one translation unit that includes some of them."""

    def __init__(self, clang, folder, includes, language="c++", flags=()):
        self.clang = clang
        self.folder = os.path.realpath(folder)
        self.language = language
        self.flags = list(flags)
        self.text = "".join(f"#include <{name}>\n" for name in includes)

    def all(self):
        """{kind: {name: description}}; equal descriptions mean equal declarations."""
        found = self.functions_and_types()
        found["record"] = self._records()
        found["macro"] = self._macros(functions={*found["function"], *found["inline function"]})
        return found

    def run_clang(self, *arguments, text=None, check=True):
        with tempfile.NamedTemporaryFile("w", suffix=".c" if self.language == "c" else ".cpp") as file:
            file.write(self.text if text is None else text)
            file.flush()
            command = [self.clang, "-x", self.language, f"-I{self.folder}", "-w", *self.flags, *arguments, file.name]
            done = subprocess.run(command, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return done

    def _mine(self, path):
        if path is None or os.path.basename(path) == DEVICE_CALLS:
            return False
        return os.path.realpath(path).startswith(self.folder + os.sep)

    def functions_and_types(self, check=True):
        """Enumerators, typedefs, variables and functions, from clang's tree. A function has a set of forms."""
        tree = json.loads(self.run_clang("-fsyntax-only", "-Xclang", "-ast-dump=json", check=check).stdout)
        found = {kind: {} for kind in ("enumerator", "typedef", "variable", "function", "inline function", "template")}
        for path, node in _top_level(tree):
            if not self._mine(path) or node.get("isImplicit"):
                continue
            kind, name = node["kind"], node.get("name")
            if kind == "EnumDecl":
                for enumerator, value in _enumerators(node):
                    found["enumerator"][enumerator] = f"{value} of {name}"
            elif kind == "TypedefDecl":
                found["typedef"][name] = _type(node)
            elif kind == "VarDecl":
                found["variable"][name] = _type(node)
            elif kind == "FunctionDecl":
                kind = "inline function" if node.get("storageClass") == "static" else "function"
                found[kind].setdefault(name, set()).add(_signature(node, found["typedef"]))
            elif kind == "FunctionTemplateDecl":
                found["template"].setdefault(name, set()).add(_template_signature(node, found["typedef"]))
        return found

    # Layouts: size, alignment, and each field's offset and type, as clang prints them.

    def _records(self):
        dump = self.run_clang("-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete").stdout
        records = {}
        for block in dump.split("*** Dumping AST Record Layout")[1:]:
            lines = [line for line in block.strip("\n").split("\n") if "|" in line]
            place = re.search(r" at ([^:)]+):\d+:\d+\)", lines[0])
            if place and not self._mine(place[1]):
                continue
            lines = [re.sub(r"\((?:unnamed|anonymous)[^)]*\)", "(unnamed)", line) for line in lines]
            lines = [re.sub(r"\b(struct|enum|union|class) ", "", line) for line in lines]
            name = lines[0].split("|")[1].strip()
            if re.match(r"cuda|CU|nvtx|u?(char|short|int|long)|float|double|dim3", name):
                records[name] = "\n".join(line.rstrip() for line in lines)
        return records

    # Macros: by value where that is an integer, by text otherwise.

    def _macros(self, functions):
        bodies = self.macro_bodies()
        # Macros that rename functions are not numbers, nor are NVIDIA's macros that make such names.
        values = self._integer_values([name for name, body in bodies.items()
                                       if body not in functions and not re.match("__CUDA(RT)?_API_PT", body)])
        found = {}
        for name, body in bodies.items():
            if name in values:
                found[name] = values[name]
            elif not name.startswith("__"):
                found[name] = re.sub(r"\s+", " ", body)
        return found

    def macro_bodies(self):
        path, bodies = None, {}
        for line in self.run_clang("-E", "-dD").stdout.split("\n"):
            if marker := re.match(r'# \d+ "(.*?)"', line):
                path = marker[1]
            elif defined := re.match(r"#define (\w+)(?!\()(?: (.*))?$", line):
                if self._mine(path) and defined[2] and not defined[1].startswith("REPRISE_"):
                    bodies[defined[1]] = defined[2].strip()
            elif undefined := re.match(r"#undef (\w+)", line):
                bodies.pop(undefined[1], None)
        return bodies

    def _integer_values(self, names):
        """Values of the macros that are integers (or pointers made of one)."""
        before = self.text + "#include <stdio.h>\nint main(void) {\n"
        first = before.count("\n") + 1
        lines = [f'  printf("{name} %lld\\n", (long long)({name}));' for name in names]
        errors = self.run_clang("-fsyntax-only", "-ferror-limit=0", text=before + "\n".join(lines) + "\n}\n", check=False)
        bad = {int(n) - first for n in re.findall(r"^[^\s:]+:(\d+):\d+: error", errors.stderr, re.M)}
        lines = [line for i, line in enumerate(lines) if i not in bad]
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "values")
            self.run_clang("-o", program, text=before + "\n".join(lines) + "\nreturn 0; }\n")
            output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        return dict(line.split() for line in output.split("\n") if line)


def floating_bits(headers, names):
    """The bits of macros that are floating-point numbers: NVIDIA's spell some by the names of device intrinsics."""
    intrinsics = """
#include <stdio.h>
#include <string.h>
template <class To, class From> To as(From from) { To to; memcpy(&to, &from, sizeof to); return to; }
#define __int_as_float(bits) as<float>(bits)
#define __longlong_as_double(bits) as<double>(bits)
void print(const char* name, float value) { printf("%s %x\\n", name, as<unsigned>(value)); }
void print(const char* name, double value) { printf("%s %llx\\n", name, as<unsigned long long>(value)); }
"""
    calls = "".join(f'print("{name}", {name});\n' for name in names)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "values")
        headers.run_clang("-o", program, text=f"{intrinsics}{headers.text}int main() {{\n{calls}}}\n")
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return dict(line.split() for line in output.split("\n") if line)


def _top_level(tree):
    """(file, node) of every declaration at file scope. The tree names a file only where it differs from the last."""
    path = None

    def follow(node):
        nonlocal path
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "file":
                    path = value
                elif key not in ("includedFrom", "inner"):
                    follow(value)

    def follow_all(node):
        follow(node)
        for child in node.get("inner", []):
            follow_all(child)

    def visit(node):
        for child in node.get("inner", []):
            follow({"loc": child.get("loc", {})})
            here = path
            if child["kind"] == "LinkageSpecDecl":
                follow({key: value for key, value in child.items() if key not in ("loc", "inner")})
                yield from visit(child)
            else:
                yield here, child
                follow({key: value for key, value in child.items() if key not in ("loc", "inner")})
                for grandchild in child.get("inner", []):
                    follow_all(grandchild)

    return visit(tree)


def _enumerators(enum):
    value = -1
    for node in enum.get("inner", []):
        if node["kind"] == "EnumConstantDecl":
            explicit = _constant(node)
            value = value + 1 if explicit is None else explicit
            yield node["name"], value


def _constant(node):
    if node["kind"] == "ConstantExpr":
        return int(node["value"])
    return next((v for child in node.get("inner", []) if (v := _constant(child)) is not None), None)


def _type(node):
    spelled = node["type"].get("desugaredQualType", node["type"]["qualType"])
    return re.sub(r"\b(struct|enum|union) ", "", spelled)


def _signature(function, typedefs):
    parameters = [node for node in function.get("inner", []) if node["kind"] == "ParmVarDecl"]
    listed = [_type(p) + (f" = {_default(p)}" if "init" in p else "") for p in parameters]
    result = re.sub(r"\b(struct|enum|union) ", "", function["type"]["qualType"].split("(")[0]).strip()
    result = typedefs.get(result, result)
    deprecated = any(node["kind"] == "DeprecatedAttr" for node in function.get("inner", []))
    return f"{'deprecated ' if deprecated else ''}{result} ({', '.join(listed)})"


def _template_signature(template, typedefs):
    """Parameters of the template are numbered, since their names say nothing."""
    kinds = ("TemplateTypeParmDecl", "NonTypeTemplateParmDecl")
    names = [node.get("name") for node in template["inner"] if node["kind"] in kinds]
    function = next(node for node in template["inner"] if node["kind"] == "FunctionDecl")
    signature = _signature(function, typedefs)
    for number, name in enumerate(names):
        if name:
            signature = re.sub(rf"\b{name}\b", f"${number}", signature)
    return f"<{len(names)}> {signature}"


def _default(node):
    if node["kind"] == "IntegerLiteral":
        return node["value"]
    if node["kind"] == "GNUNullExpr":
        return "0"
    if node["kind"] == "DeclRefExpr":
        return node["referencedDecl"]["name"]
    return next((v for child in node.get("inner", []) if (v := _default(child)) is not None), None)

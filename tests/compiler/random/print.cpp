#include "program.h"

namespace spmd {
namespace {

std::string number(uint64_t value) { return std::to_string(value); }

std::string text(const Expression& e);

std::string leaf_text(const Expression& e) {
  switch (e.leaf) {
    case Leaf::constant:
      return number(e.number) + "u";
    case Leaf::thread_variable:
      return "v" + number(e.number);
    case Leaf::uniform_variable:
      return "u" + number(e.number);
    case Leaf::tid_x:
      return "threadIdx_x";
    case Leaf::tid_y:
      return "threadIdx_y";
    case Leaf::thread:
      return "thread";
    case Leaf::lane:
      return "(thread & 31u)";
    case Leaf::warp:
      return "(thread >> 5)";
    case Leaf::block_index:
      return "__reprise_ctaid_x()";
    case Leaf::block_threads:
      return "threads";
    case Leaf::parameter:
      return "p" + number(e.number);
    case Leaf::counter:
      return "c" + number(e.number);
  }
  return "";
}

std::string text(const Expression& e) {
  static const char* const functions[] = {"add",  "sub",  "mul",  "and_", "or_", "xor_", "shl",  "lshr", "ashr",
                                          "udiv", "urem", "sdiv", "ult",  "slt", "eq",   "min_", "max_"};
  switch (e.kind) {
    case Expression::Kind::leaf:
      return leaf_text(e);
    case Expression::Kind::binary:
      return std::string(functions[int(e.op)]) + "(" + text(e.operands[0]) + ", " + text(e.operands[1]) + ")";
    case Expression::Kind::select:
      return "(" + text(e.operands[0]) + " ? " + text(e.operands[1]) + " : " + text(e.operands[2]) + ")";
    case Expression::Kind::input:
      return "in[" + text(e.operands[0]) + " % " + number(input_size) + "]";
    case Expression::Kind::input_in_order:
      return "in[thread + " + text(e.operands[0]) + " * " + number(e.number) + "u]";
    case Expression::Kind::input_at_counter:
      return "in[" + text(e.operands[0]) + "]";
    case Expression::Kind::local:
      return "a[" + text(e.operands[0]) + " % " + number(local_size) + "]";
  }
  return "";
}

// Bijections of the block's threads, so that no two write the same word.
std::string permuted(unsigned which) {
  return which < 4 ? "(thread + " + number(which * 5) + "u) % threads"
                   : "threads - 1 - (thread + " + number(which) + "u) % threads";
}

std::string warp_text(const Statement& s, const std::string& mask) {
  switch (s.operation) {
    case WarpOperation::shuffle:
      return "__reprise_shfl32(" + number(s.mode) + ", " + mask + ", " + text(s.value) + ", " + text(s.value2) +
             " % 32, " + number(s.width) + ")";
    case WarpOperation::ballot:
      return "__reprise_ballot(" + mask + ", (int)" + text(s.value) + ")";
    case WarpOperation::any:
      return "(__reprise_ballot(" + mask + ", (int)" + text(s.value) + ") != 0)";
    case WarpOperation::all:
      return "(__reprise_ballot(" + mask + ", !" + text(s.value) + ") == 0)";
    case WarpOperation::match_any:
      return "__reprise_match_any32(" + mask + ", " + text(s.value) + " % 3)";
    case WarpOperation::match_all:
      return "match_all(" + mask + ", " + text(s.value) + " % 2)";
    case WarpOperation::reduce:
      return "__reprise_reduce32(" + number(s.mode) + ", " + mask + ", " + text(s.value) + ")";
    case WarpOperation::active_mask:
      return "__reprise_activemask()";
  }
  return "";
}

void print(const Block& block, std::string& out, const std::string& indent);

void print(const Statement& s, std::string& out, const std::string& indent) {
  auto line = [&](const std::string& code) { out += indent + code + "\n"; };
  const std::string target = "v" + number(s.target);
  switch (s.kind) {
    case Statement::Kind::assign:
      return line(target + " = " + text(s.value) + ";");
    case Statement::Kind::assign_uniform:
      return line("u" + number(s.target) + " = " + text(s.value) + ";");
    case Statement::Kind::branch:
      line("if (" + text(s.value) + " & 1) {");
      print(s.body, out, indent + "  ");
      if (!s.other.empty()) {
        line("} else {");
        print(s.other, out, indent + "  ");
      }
      return line("}");
    case Statement::Kind::loop: {
      const std::string c = "c" + number(s.target), end = "end" + number(s.target);
      line("{ const unsigned " + end + " = " + text(s.value) + " % 4;");
      line("for (unsigned " + c + " = 0; " + c + " < " + end + "; ++" + c + ") {");
      print(s.body, out, indent + "  ");
      return line("} }");
    }
    case Statement::Kind::stride_loop: {
      static const char* const starts[] = {"thread", "(thread & 31u)", "threadIdx_x", "(thread + p0 % 8u)",
                                           "(thread - 5u)"};
      static const char* const steps[] = {"threads", "32u", "7u", "__reprise_ntid_x()"};
      const std::string c = "c" + number(s.target), end = "end" + number(s.target),
                        type = s.mode ? "int " : "unsigned ";
      line("{ const " + type + end + " = " + text(s.value) + " % " + number(longest_stride_loop) + ";");
      line("for (" + type + c + " = " + starts[s.start] + "; " + c + " < " + end + "; " + c + " += " + steps[s.step] +
           ") {");
      print(s.body, out, indent + "  ");
      return line("} }");
    }
    case Statement::Kind::leave_loop:
      return line("if (" + text(s.value) + " & 1) break;");
    case Statement::Kind::next_turn:
      return line("if (" + text(s.value) + " & 1) continue;");
    case Statement::Kind::leave_kernel:
      return line("if ((" + text(s.value) + " & 3) == 1) { FINISH; return; }");
    case Statement::Kind::barrier:
      return line("__syncthreads();");
    case Statement::Kind::barrier_reduce:
      return line(target + " = (unsigned)__reprise_barrier_reduce(" + number(s.mode) + ", (int)(" + text(s.value) +
                  " & 1));");
    case Statement::Kind::store_shared:
      return line("s" + number(s.target) + "[" + permuted(s.number) + "] = " + text(s.value) + ";");
    case Statement::Kind::load_shared:
      return line(target + " = s" + number(s.number) + "[" + text(s.value) + " % threads];");
    case Statement::Kind::store_local:
      return line("a[" + text(s.value2) + " % " + number(local_size) + "] = " + text(s.value) + ";");
    case Statement::Kind::warp:
      return line(target + " = " + warp_text(s, "0xffffffffu") + ";");
    case Statement::Kind::sync_warp:
      return line("__reprise_warp_sync(0xffffffffu);");
    case Statement::Kind::masked_warp:
      line("{ const unsigned m = __reprise_ballot(0xffffffffu, (int)(" + text(s.value2) + " & 1));");
      return line("if (" + text(s.value2) + " & 1) " + target + " = " + warp_text(s, "m") + "; }");
    case Statement::Kind::add_to_counter:
      return line("__atomic_fetch_add(&n[" + number(s.target) + "], " + text(s.value) + ", __ATOMIC_RELAXED);");
    case Statement::Kind::read_counter:
      return line(target + " = n[" + number(s.number) + "];");
  }
}

void print(const Block& block, std::string& out, const std::string& indent) {
  for (const Statement& statement : block) print(statement, out, indent);
}

}  // namespace

std::string print(const Program& program, const std::string& name) {
  std::string out = "__global__ void " + name + "(const unsigned* in, unsigned* out, unsigned p0, unsigned p1) {\n";
  out += "  START\n";
  print(program.body, out, "  ");
  out += "  FINISH;\n}\n\n";
  return out;
}

}  // namespace spmd

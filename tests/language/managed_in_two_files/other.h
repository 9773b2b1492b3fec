#pragma once

struct OtherFile {
  static void count(int amount);
  static int counter();
  static int second_hidden();
};

#pragma once
void scale(int* device_data, int n);
void shift(int* device_data, int n);
void report(int value);

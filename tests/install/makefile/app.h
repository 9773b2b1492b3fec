#pragma once
#define VALUE 17
int device_count();

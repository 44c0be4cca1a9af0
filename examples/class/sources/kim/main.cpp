#include <conio.h>
#include <iostream>

int main() {
    int x = "does not compile"
    return x;
}

# Options every target of the house shares; an INTERFACE target keeps them off foreign code.
add_library(wattproof_options INTERFACE)
target_compile_features(wattproof_options INTERFACE cxx_std_20)
target_include_directories(wattproof_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(wattproof_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Wimplicit-fallthrough -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 reports false positives from inlined standard library code at -O2 (GCC bugs 105329, 105562).
    target_compile_options(wattproof_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(WATTPROOF_WARNINGS_AS_ERRORS)
    target_compile_options(wattproof_options INTERFACE -Werror)
endif()
# Empty optionals and indexes out of range stop the program where it is built to be looked at; users run without.
target_compile_definitions(wattproof_options INTERFACE $<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>)
if(WATTPROOF_SANITIZE)
    target_compile_options(wattproof_options INTERFACE -fsanitize=${WATTPROOF_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(wattproof_options INTERFACE -fsanitize=${WATTPROOF_SANITIZE})
endif()
if(WATTPROOF_FUZZ)
    # Counters of covered edges in every library: what steers the fuzzer.
    target_compile_options(wattproof_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

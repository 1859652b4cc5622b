# cmake -DOUTPUT=<file> -P embed.cmake
# Writes the page, its style and its script as C++, with their SHA-256 hashes for the Content-Security-Policy.
set(here ${CMAKE_CURRENT_LIST_DIR})
file(READ ${here}/page.html page)
file(READ ${here}/page.css style)
set(script "")
foreach(part data matrix charts cases state page)  # each uses those before it
  file(READ ${here}/${part}.js text)
  string(APPEND script "${text}\n")
endforeach()
string(SHA256 style_sha256 "${style}")
string(SHA256 script_sha256 "${script}")
configure_file(${here}/page.cpp.in ${OUTPUT} @ONLY)

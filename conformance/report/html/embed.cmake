# cmake -DOUTPUT=<file> -DPAGE=<name> -DSTYLES=<name>... -DSCRIPTS=<name>... -P embed.cmake
# Writes a page, its style and its script as C++, with their SHA-256 hashes for the Content-Security-Policy. The names
# are those of files in this folder, without their extensions. Each script uses those before it.
set(here ${CMAKE_CURRENT_LIST_DIR})
function(read_parts result extension)
  set(whole "")
  foreach(part IN LISTS ARGN)
    file(READ ${here}/${part}.${extension} text)
    string(APPEND whole "${text}\n")
  endforeach()
  set(${result} "${whole}" PARENT_SCOPE)
endfunction()

file(READ ${here}/${PAGE}.html page)
read_parts(style css ${STYLES})
read_parts(script js ${SCRIPTS})
string(SHA256 style_sha256 "${style}")
string(SHA256 script_sha256 "${script}")
configure_file(${here}/embedded.cpp.in ${OUTPUT} @ONLY)

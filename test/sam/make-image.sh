#!/bin/sh
# Builds an image in which sam local runs the functions without the image of AWS, which needs the internet. It contains
# the Node.js on the PATH (as on Lambda), the C library and some tools of this machine, and the runtime of the tests.
set -eu
image=supplier-portal-lambda:24
runtime=$(dirname "$0")/../support/lambda-runtime
case $(uname -sm) in
  'Linux x86_64') platform=linux/amd64 emulator=rapid-x86_64 ;;
  'Linux aarch64') platform=linux/arm64 emulator=rapid-arm64 ;;
  *) echo 'The image can be built on Linux only.' >&2; exit 1 ;;
esac
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# Adds a program and the shared libraries that it needs.
add() {
  install -D -m 755 "$(readlink -f "$(command -v "$1")")" "$root/usr/bin/$1"
  ldd "$root/usr/bin/$1" | grep -o '/[^ ]*' | while read -r library; do
    install -D -m 755 "$(readlink -f "$library")" "$root$library"
  done
}

# SAM builds its own image on top of this image, and moves the emulator into it.
for program in node sh mv chmod; do add "$program"; done
mkdir -p "$root/bin" "$root/etc" "$root/var/task" "$root/opt"
ln -s /usr/bin/sh "$root/bin/sh"
install -d -m 1777 "$root/tmp"
# Without this file, names in /etc/hosts are not found.
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
cp -r "$runtime" "$root/var/runtime"
echo '{ "type": "module" }' > "$root/var/runtime/package.json"
chmod 755 "$root/var/runtime/bootstrap"

tar -C "$root" -c . | docker import --platform "$platform" \
  --change 'ENV PATH=/usr/bin LANG=en_US.UTF-8 TZ=:UTC LAMBDA_TASK_ROOT=/var/task LAMBDA_RUNTIME_DIR=/var/runtime' \
  --change 'WORKDIR /var/task' - "$image" > /dev/null
# SAM would continue to use the image that it built on top of the previous one.
docker image rm "${image%:*}:$emulator" > /dev/null 2>&1 || true
echo "$image"

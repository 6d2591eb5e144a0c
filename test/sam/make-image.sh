#!/bin/sh
# Makes an image in which sam local can run the functions where the one of AWS cannot be pulled. It holds the node on the
# PATH (under npm run, that of Lambda), the C library and a few tools of this machine, and the loop that runs a function.
set -eu
image=supplier-portal-lambda:24
runtime=$(dirname "$0")/../support/lambda-runtime
case $(uname -sm) in
  'Linux x86_64') platform=linux/amd64 emulator=rapid-x86_64 ;;
  'Linux aarch64') platform=linux/arm64 emulator=rapid-arm64 ;;
  *) echo 'The image can be made on Linux only.' >&2; exit 1 ;;
esac
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

add() { # program: itself, and the shared libraries that it is linked with
  install -D -m 755 "$(readlink -f "$(command -v "$1")")" "$root/usr/bin/$1"
  ldd "$root/usr/bin/$1" | grep -o '/[^ ]*' | while read -r library; do
    install -D -m 755 "$(readlink -f "$library")" "$root$library"
  done
}

# SAM builds an image of its own upon this one, in which it moves the emulator to its place.
for program in node sh mv chmod; do add "$program"; done
mkdir -p "$root/bin" "$root/etc" "$root/var/task" "$root/opt"
ln -s /usr/bin/sh "$root/bin/sh"
install -d -m 1777 "$root/tmp"
# Without it, names in /etc/hosts are looked up in the DNS only.
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
cp -r "$runtime" "$root/var/runtime"
echo '{ "type": "module" }' > "$root/var/runtime/package.json"
chmod 755 "$root/var/runtime/bootstrap"

tar -C "$root" -c . | docker import --platform "$platform" \
  --change 'ENV PATH=/usr/bin LANG=en_US.UTF-8 TZ=:UTC LAMBDA_TASK_ROOT=/var/task LAMBDA_RUNTIME_DIR=/var/runtime' \
  --change 'WORKDIR /var/task' - "$image" > /dev/null
# What SAM has built upon the previous image, and would go on using.
docker image rm "${image%:*}:$emulator" > /dev/null 2>&1 || true
echo "$image"

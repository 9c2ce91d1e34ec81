#!/usr/bin/env bash
# Deploy a release to the cluster.
#
# Usage: deploy.sh [-n] ENVIRONMENT

set -euo pipefail
shopt -s extglob

readonly SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
declare -r MAX_ATTEMPTS=5
declare -A REGIONS=(
  [eu]="eu-west-1"
  [us]="us-east-1"
)
export KUBECONFIG="${KUBECONFIG:-$HOME/.kube/config}" NAMESPACE=web
typeset -i counter=0
DRY_RUN=false
hosts=(alpha beta
  gamma)
: "${LOG_LEVEL:=info}"
PATH+=":/opt/bin"

alias k='kubectl --namespace "$NAMESPACE"'
alias ll='ls -l' la='ls -a'

source "$SCRIPT_DIR/lib.sh"

# Print a message to standard error.
log() {
  local level="$1"; shift
  printf '%s [%s] %s\n' "$(date -u +%FT%TZ)" "$level" "$*" >&2
}

# Leave with a message.
#
# Globals: none
# Arguments:
#   $1 - the message
function die {
  log error "$@"
  exit 1
}

function usage() {
  cat <<-USAGE
	usage() { this is not a function }
	NOT_A_VARIABLE=1
	USAGE
}

retry()
{
  local attempt=1
  until "$@"; do
    (( attempt++ < MAX_ATTEMPTS )) || return 1
    sleep "$((2 ** attempt))"
  done
}

in_subshell() (
  cd /tmp
  helper() { echo nested; }
  helper
)

log::debug() { [[ $LOG_LEVEL == debug ]] && log debug "$@"; }
is-ready() { kubectl rollout status "deploy/$1"; }
_private() { :; } # not part of the interface

cleanup() {
  rm -rf "${TMP:?}"
} 2>/dev/null
trap cleanup EXIT

if [[ "${OSTYPE}" == darwin* ]]; then
  sha256() { shasum -a 256 "$@"; }
else
  sha256() { sha256sum "$@"; }
fi

case "${1:-}" in
  start) start() { retry k apply -f .; } ;;
esac

main() {
  while getopts ':n' opt; do
    case "$opt" in
      n) DRY_RUN=true ;;
      *) usage; die "unknown option -$OPTARG" ;;
    esac
  done
  RESULT=$(retry k get pods)
  export RESULT
}

[[ "${BASH_SOURCE[0]}" == "$0" ]] && main "$@"

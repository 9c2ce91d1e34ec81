#compdef deploy
autoload -Uz vcs_info add-zsh-hook
setopt prompt_subst

typeset -gA PROMPT_COLOURS
PROMPT='%F{blue}%~%f $ '
local ret_status="%(?:ok:failed)"

# Show the branch.
function git_branch() {
  git symbolic-ref --short HEAD 2>/dev/null
}

precmd() { vcs_info; }

zle-line-init() {
  zle -K viins
}
zle -N zle-line-init

alias -g G='| grep'

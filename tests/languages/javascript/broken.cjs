const good = () => 1

function broken( {
  return [1, 2
}

class Whole {
  method() {}
}

let x = = 2

module.exports = function build(options) {
  return options
}

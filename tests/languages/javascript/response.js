/*!
 * response
 * MIT Licensed
 */

'use strict'

var http = require('node:http');
var debug = require('debug')('app:response');
const { join, basename: base } = require('node:path');
const isAbsolute = require('./utils').isAbsolute;

/**
 * Response prototype.
 * @public
 */

var res = Object.create(http.ServerResponse.prototype)

/**
 * Module exports.
 */
module.exports = res

// Order matters.
const STATUS = { ok: 200, 'not found': 404 },
  METHODS = ['get', 'put'];

/**
 * Set the HTTP status code.
 *
 * @param {number} code
 * @return {ServerResponse} for chaining
 */
res.status = function status(code) {
  this.statusCode = code;
  return this;
};

res.links = links => Object.keys(links).join(', ');

res.type = res.contentType = async function contentType(type) {
  var value = type;
  return this.set('Content-Type', value);
};

exports.compile = function (fn) { return fn };
exports.etag = createETagGenerator({ weak: false });
exports.Route = class extends Base {};
module.exports.parse = (text) => JSON.parse(text);
exports.helper = require('./helper');

function Layer(path, options, fn) {
  if (!(this instanceof Layer)) {
    return new Layer(path, options, fn);
  }
  this.handle = fn;
  this.match = function (other) {
    return other === path;
  };
}

Layer.prototype.handleError = function handle_error(error, req, next) {
  const inner = () => next(error);
  inner();
};

Layer.prototype = {
  constructor: Layer,
  reset: function () {},
};

/* Run all of them. */
function* walk(tree) {
  yield* tree;
}

async function* stream() {}

defineGetter(req, 'protocol', function protocol() {
  return 'http';
});

METHODS.forEach(function (method) {
  res[method] = function (path) {};
});

(function umd(root, factory) {
  root.lib = factory();
})(this, function () {
  var hidden = 1;
  function exposed() {}
  return { exposed: exposed };
});

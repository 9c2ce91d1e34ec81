/* Where TypeScript's own checker finds the definitions of a sample of identifiers.
 *
 *     node typescript_oracle.js TYPESCRIPT ROOT COUNT < files
 *
 * TYPESCRIPT is the folder of the npm package, `files` are paths below ROOT, one a line. Prints one
 * JSON line for each reference: [path, line, column, name, [[file, line, name, kind], ...]], where
 * file is null outside of ROOT and kind is "local" for variables and parameters of functions. The
 * packages of a workspace are found through their names, since nothing is installed.
 */
"use strict";
const fs = require("fs");
const path = require("path");

const ts = require(path.resolve(process.argv[2]));
const root = fs.realpathSync(process.argv[3]);
const count = Number(process.argv[4]);
const files = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);

function workspace() {
  const paths = {};
  const manifests = ts.sys.readDirectory(root, [".json"], ["**/node_modules"], ["**/package.json"]);
  for (const file of manifests) {
    const { config } = ts.readConfigFile(file, ts.sys.readFile);
    const folder = path.dirname(file);
    if (config && config.name && folder !== root) {
      const sources = [path.join(folder, "src/index"), path.join(folder, "index")];
      paths[config.name] = sources.concat(path.join(folder, "src"));
      paths[config.name + "/*"] = [path.join(folder, "src/*"), path.join(folder, "*")];
    }
  }
  const config = path.join(root, "tsconfig.json");
  if (fs.existsSync(config)) {
    const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, {
      ...ts.sys, onUnRecoverableConfigFileDiagnostic() {},
    });
    const own = (parsed && parsed.options.paths) || {};
    for (const [name, targets] of Object.entries(own)) {
      paths[name] = targets.map((one) => path.resolve(parsed.options.pathsBasePath || root, one));
    }
  }
  return paths;
}

const program = ts.createProgram(files.map((file) => path.join(root, file)), {
  allowJs: true, checkJs: false, noEmit: true, skipLibCheck: true, strict: true,
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve,
  customConditions: ["@zod/source", "source", "development"], resolveJsonModule: true,
  experimentalDecorators: true, types: [], paths: workspace(), maxNodeModuleJsDepth: 0,
});
const checker = program.getTypeChecker();

function isReference(node) {
  const parent = node.parent;
  if (ts.isDeclaration(parent) && parent.name === node && !ts.isShorthandPropertyAssignment(parent))
    return false;
  for (let up = parent; up; up = up.parent)
    if (ts.isImportDeclaration(up) || ts.isExportDeclaration(up) || ts.isImportEqualsDeclaration(up))
      return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  if (ts.isJsxAttribute(parent) || ts.isJsxClosingElement(parent)) return false;
  if (ts.isJsxOpeningLikeElement(parent) && /^[a-z]/.test(node.text)) return false;
  return !ts.isLabeledStatement(parent) && !ts.isBreakOrContinueStatement(parent);
}

function identifiers(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text && isReference(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = source.text.split("\n");
  return found.filter((node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const words = lines[line].match(/[\w$]+/g) || [];
    return words.filter((word) => word === node.text).length === 1;
  });
}

function isLocal(declaration) {
  if (ts.isParameter(declaration)) return !declaration.modifiers;
  if (ts.isTypeParameterDeclaration(declaration)) return true;
  if (!ts.isVariableDeclaration(declaration) && !ts.isBindingElement(declaration)) return false;
  let up = declaration.parent;
  while (up && !ts.isSourceFile(up) && !ts.isModuleBlock(up)) {
    if (ts.isFunctionLike(up) || ts.isClassStaticBlockDeclaration(up)) return true;
    up = up.parent;
  }
  return false;
}

function symbolOf(node) {
  const parent = node.parent;
  let symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol;
}

function definitions(node) {
  const symbol = symbolOf(node);
  return ((symbol && symbol.declarations) || []).map((one) => {
    const source = one.getSourceFile();
    const file = path.relative(root, source.fileName);
    const name = ts.isSourceFile(one) ? "" : ts.getNameOfDeclaration(one);
    const at = source.getLineAndCharacterOfPosition((name || one).getStart(source)).line + 1;
    const kind = ts.isSourceFile(one) ? "module" : isLocal(one) ? "local" : ts.SyntaxKind[one.kind];
    const inside = !file.startsWith("..") && !file.includes("node_modules");
    return [inside ? file : null, at, name ? name.text || symbol.name : symbol.name, kind];
  });
}

let seed = 7;
function random() {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return seed / 2 ** 32;
}

const all = [];
for (const file of files) {
  const source = program.getSourceFile(path.join(root, file));
  if (source) for (const node of identifiers(source)) all.push([file, source, node]);
}
for (let at = all.length - 1; at > 0; at--) {
  const other = Math.floor(random() * (at + 1));
  [all[at], all[other]] = [all[other], all[at]];
}
let counted = 0;
for (const [file, source, node] of all) {
  if (counted >= count) break;
  const found = definitions(node);
  if (found.some(([inside, , , kind]) => inside && kind !== "local")) counted++;
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  console.log(JSON.stringify([file, line + 1, character, node.text, found]));
}

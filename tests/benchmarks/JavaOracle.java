import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.ElementFilter;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Print what javac resolves in the sources of a repository: `java JavaOracle.java ROOT < paths`.
 *
 * <p>Each line is JSON: [path, line, column, name, [[file, line, name, kind]]]. The file is empty for
 * definitions outside of the repository. The kind is `local`, `method`, `constructor`, or the kind
 * of the element in lower case. A constructor that is not written has the place of its class, and
 * an accessor of a record that of its component. Sources may use libraries that are missing: a name
 * that javac cannot attribute, or only with unknown arguments, has no definitions.
 */
public final class JavaOracle {
    private final Path root;
    private final Trees trees;
    private final SourcePositions positions;
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private JavaOracle(Path root, JavacTask task) {
        this.root = root;
        this.trees = Trees.instance(task);
        this.positions = trees.getSourcePositions();
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toRealPath();
        List<Path> files = new ArrayList<>();
        var reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path; (path = reader.readLine()) != null; ) {
            if (path.endsWith(".java") && !path.endsWith("-info.java")) {
                files.add(root.resolve(path));
            }
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        StandardJavaFileManager manager =
                compiler.getStandardFileManager(problems, null, StandardCharsets.UTF_8);
        List<String> options = List.of(
                "-proc:none", "-XDshould-stop.ifError=FLOW", "-XDshould-stop.ifNoError=FLOW",
                "-Xmaxerrs", "1", "-nowarn", "-implicit:none");
        JavacTask task = (JavacTask) compiler.getTask(
                null, manager, problems, options, null, manager.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        JavaOracle oracle = new JavaOracle(root, task);
        for (CompilationUnitTree unit : units) {
            oracle.new References(unit).scan(unit, null);
        }
        oracle.out.flush();
    }

    /** Prints the references of one file. */
    private final class References extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final String text;
        private final String path;
        private final Set<Tree> doubtful = new HashSet<>();

        References(CompilationUnitTree unit) throws java.io.IOException {
            this.unit = unit;
            this.text = unit.getSourceFile().getCharContent(true).toString();
            this.path = relative(unit);
        }

        @Override
        public Void visitImport(ImportTree tree, Void nothing) {
            return null;
        }

        @Override
        public Void visitPackage(PackageTree tree, Void nothing) {
            return null;
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            report(start(tree), tree.getName().toString(), element(tree));
            return null;
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            String name = tree.getIdentifier().toString();
            report(end(tree) - name.length(), name, element(tree));
            return super.visitMemberSelect(tree, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            String name = tree.getName().toString();
            Element element = trees.getElement(getCurrentPath());
            if (!name.equals("<init>")) {
                report(end(tree) - name.length(), name, element);
            }
            return super.visitMemberReference(tree, nothing);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
            if (hasUnknown(tree.getArguments())) {
                doubtful.add(tree.getMethodSelect());
            }
            return super.visitMethodInvocation(tree, nothing);
        }

        private Element element(Tree tree) {
            return doubtful.contains(tree) ? null : trees.getElement(getCurrentPath());
        }

        /** Tell whether javac could not attribute an argument: then its choice may be wrong. */
        private boolean hasUnknown(List<? extends Tree> arguments) {
            for (Tree argument : arguments) {
                var type = trees.getTypeMirror(new TreePath(getCurrentPath(), argument));
                if (type != null && type.getKind() == TypeKind.ERROR) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void nothing) {
            boolean isDoubtful = hasUnknown(tree.getArguments());
            Element constructor = isDoubtful ? null : trees.getElement(getCurrentPath());
            if (tree.getClassBody() != null && !isDoubtful) {
                constructor = constructorOfBase(tree.getClassBody());
            }
            Tree type = tree.getIdentifier();
            while (!(type instanceof IdentifierTree || type instanceof MemberSelectTree)) {
                if (type instanceof ParameterizedTypeTree generic) {
                    type = generic.getType();
                } else if (type instanceof AnnotatedTypeTree annotated) {
                    type = annotated.getUnderlyingType();
                } else {
                    return super.visitNewClass(tree, nothing);
                }
            }
            String name = type.toString().substring(type.toString().lastIndexOf('.') + 1);
            report(end(type) - name.length(), name, constructor);
            return super.visitNewClass(tree, nothing);
        }

        /** Return the constructor that an anonymous class calls; null if its base is an interface. */
        private Element constructorOfBase(ClassTree body) {
            for (Tree member : body.getMembers()) {
                if (member instanceof MethodTree method
                        && method.getName().contentEquals("<init>")
                        && !method.getBody().getStatements().isEmpty()
                        && method.getBody().getStatements().get(0)
                                instanceof ExpressionStatementTree statement
                        && statement.getExpression() instanceof MethodInvocationTree call) {
                    TreePath called = TreePath.getPath(unit, call.getMethodSelect());
                    Element element = called == null ? null : trees.getElement(called);
                    return element == null || isOfObject(element) ? null : element;
                }
            }
            return null;
        }

        private boolean isOfObject(Element element) {
            return element.getEnclosingElement().toString().equals("java.lang.Object");
        }

        private int start(Tree tree) {
            return (int) positions.getStartPosition(unit, tree);
        }

        private int end(Tree tree) {
            return (int) positions.getEndPosition(unit, tree);
        }

        private void report(int at, String name, Element element) {
            boolean isWritten = at >= 0 && text.startsWith(name, at);
            boolean isPackage = element != null && element.getKind() == ElementKind.PACKAGE;
            boolean isReference = element != null && element.getKind() != ElementKind.CONSTRUCTOR
                    && (name.equals("this") || name.equals("super"));
            if (!isWritten || isPackage || isReference) {
                return;
            }
            boolean isKnown = element != null && element.asType().getKind() != TypeKind.ERROR;
            long line = unit.getLineMap().getLineNumber(at);
            long column = unit.getLineMap().getColumnNumber(at) - 1;
            out.println("[" + quoted(path) + "," + line + "," + column + "," + quoted(name) + ",["
                    + (isKnown ? target(element) : "") + "]]");
        }
    }

    private String target(Element element) {
        String kind = switch (element.getKind()) {
            case LOCAL_VARIABLE, PARAMETER, EXCEPTION_PARAMETER, RESOURCE_VARIABLE,
                    BINDING_VARIABLE, TYPE_PARAMETER -> "local";
            default -> element.getKind().name().toLowerCase(java.util.Locale.ROOT);
        };
        Element written = written(element);
        if (written != element && written instanceof TypeElement) {
            kind = "class";
        }
        TreePath place = written == null ? null : trees.getPath(written);
        if (place == null) {
            return "[\"\",0," + quoted(element.getSimpleName().toString()) + "," + quoted(kind) + "]";
        }
        CompilationUnitTree unit = place.getCompilationUnit();
        String name = written.getSimpleName().toString();
        if (name.equals("<init>")) {
            name = written.getEnclosingElement().getSimpleName().toString();
        }
        long start = positions.getStartPosition(unit, place.getLeaf());
        long line = unit.getLineMap().getLineNumber(nameAt(unit, start, name));
        return "[" + quoted(relative(unit)) + "," + line + "," + quoted(name) + ","
                + quoted(kind) + "]";
    }

    /** Return the element whose declaration is in the source; null without one. */
    private Element written(Element element) {
        TreePath path = trees.getPath(element);
        if (element.getKind() == ElementKind.CONSTRUCTOR && !isWritten(path)) {
            return element.getEnclosingElement();
        }
        if (element.getKind() == ElementKind.METHOD && !isWritten(path)) {
            Element owner = element.getEnclosingElement();
            if (owner.getKind() != ElementKind.RECORD) {
                return null;
            }
            for (Element field : ElementFilter.fieldsIn(owner.getEnclosedElements())) {
                if (field.getSimpleName().equals(element.getSimpleName())) {
                    return field;
                }
            }
            return null;
        }
        return path == null ? null : element;
    }

    private boolean isWritten(TreePath path) {
        if (path == null) {
            return false;
        }
        CompilationUnitTree unit = path.getCompilationUnit();
        // A generated member has the position of its class.
        Tree owner = path.getParentPath().getLeaf();
        boolean isSame = positions.getStartPosition(unit, owner)
                == positions.getStartPosition(unit, path.getLeaf());
        return positions.getEndPosition(unit, path.getLeaf()) > 0 && !isSame;
    }

    /** Return where a declaration has its name: after modifiers, annotations and types. */
    private long nameAt(CompilationUnitTree unit, long start, String name) {
        try {
            String text = unit.getSourceFile().getCharContent(true).toString();
            var matcher = java.util.regex.Pattern
                    .compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b")
                    .matcher(text);
            return matcher.find((int) start) ? matcher.start() : start;
        } catch (java.io.IOException problem) {
            return start;
        }
    }

    private String relative(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}

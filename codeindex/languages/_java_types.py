"""Define the static types of Java: literals, conversions, and common library types."""

from __future__ import annotations

from codeindex.languages._type_rules import TypeRules, parse_hierarchy, parse_results

_LITERALS = {
    "string_literal": "String",
    "character_literal": "char",
    "null_literal": "null",
    "true": "boolean",
    "false": "boolean",
    "class_literal": "Class",
    "instanceof_expression": "boolean",
}
_LIBRARY = """
Object Cloneable Serializable AutoCloseable Runnable Iterable Comparable CharSequence Appendable:
Readable Annotation Callable Supplier Function Consumer Predicate BiFunction BiConsumer:
BiPredicate Comparator IntFunction IntPredicate ToIntFunction ToLongFunction ToDoubleFunction:
IntSupplier LongSupplier DoubleSupplier BooleanSupplier IntConsumer LongConsumer DoubleConsumer:
IntUnaryOperator IntBinaryOperator Iterator Enumeration Map Optional:
DataInput DataOutput Type AnnotatedElement GenericDeclaration Executor Temporal TemporalAccessor:
Closeable: AutoCloseable
Flushable:
UnaryOperator: Function
BinaryOperator: BiFunction
Class: Serializable GenericDeclaration Type AnnotatedElement
String: CharSequence Comparable Serializable
StringBuilder StringBuffer: CharSequence Appendable Comparable Serializable
Number: Serializable
Byte Short Integer Long Float Double: Number Comparable
AtomicInteger AtomicLong BigDecimal BigInteger: Number
Boolean Character: Comparable Serializable
Enum: Comparable Serializable
Record:
Throwable: Serializable
Exception Error: Throwable
RuntimeException IOException ReflectiveOperationException InterruptedException: Exception
CloneNotSupportedException SQLException GeneralSecurityException URISyntaxException: Exception
TimeoutException ExecutionException ParseException: Exception
IllegalArgumentException IllegalStateException NullPointerException: RuntimeException
UnsupportedOperationException IndexOutOfBoundsException ClassCastException: RuntimeException
ArithmeticException ConcurrentModificationException NoSuchElementException: RuntimeException
SecurityException UncheckedIOException DateTimeException: RuntimeException
NumberFormatException: IllegalArgumentException
ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException: IndexOutOfBoundsException
ClassNotFoundException NoSuchMethodException NoSuchFieldException: ReflectiveOperationException
InstantiationException IllegalAccessException: ReflectiveOperationException
InvocationTargetException: ReflectiveOperationException
FileNotFoundException EOFException UnsupportedEncodingException MalformedURLException: IOException
UnknownHostException SocketException CharacterCodingException: IOException
AssertionError VirtualMachineError LinkageError: Error
Collection: Iterable
List Set Queue: Collection
SortedSet: Set
NavigableSet: SortedSet
Deque: Queue
AbstractCollection: Collection
AbstractList: AbstractCollection List
AbstractSet: AbstractCollection Set
ArrayList Vector: AbstractList List RandomAccess Cloneable Serializable
Stack: Vector
LinkedList: AbstractList List Deque Cloneable Serializable
HashSet: AbstractSet Set Cloneable Serializable
LinkedHashSet: HashSet
TreeSet: AbstractSet NavigableSet Cloneable Serializable
EnumSet: AbstractSet Cloneable Serializable
ArrayDeque: AbstractCollection Deque Cloneable Serializable
PriorityQueue: AbstractCollection Queue Serializable
RandomAccess:
SortedMap ConcurrentMap: Map
NavigableMap: SortedMap
AbstractMap: Map
HashMap IdentityHashMap WeakHashMap: AbstractMap Map Cloneable Serializable
LinkedHashMap: HashMap
TreeMap: AbstractMap NavigableMap Cloneable Serializable
EnumMap: AbstractMap Serializable Cloneable
ConcurrentHashMap: AbstractMap ConcurrentMap Serializable
Dictionary:
Hashtable: Dictionary Map Cloneable Serializable
Properties: Hashtable
ListIterator: Iterator
InputStream: Closeable
OutputStream: Closeable Flushable
FilterInputStream ByteArrayInputStream FileInputStream ObjectInputStream: InputStream
BufferedInputStream DataInputStream PushbackInputStream: FilterInputStream
FilterOutputStream ByteArrayOutputStream FileOutputStream ObjectOutputStream: OutputStream
BufferedOutputStream DataOutputStream PrintStream: FilterOutputStream
Reader: Readable Closeable
BufferedReader InputStreamReader StringReader CharArrayReader: Reader
FileReader: InputStreamReader
Writer: Appendable Closeable Flushable
BufferedWriter OutputStreamWriter StringWriter CharArrayWriter PrintWriter: Writer
FileWriter: OutputStreamWriter
File: Comparable Serializable
Path: Comparable Iterable
URI: Comparable Serializable
URL: Serializable
UUID Date: Comparable Serializable
Timestamp: Date
Calendar: Comparable Cloneable Serializable
GregorianCalendar: Calendar
TimeZone Locale Random Currency: Serializable
Instant: Temporal Comparable Serializable
Duration: Comparable Serializable
Charset: Comparable
Pattern: Serializable
Matcher StringTokenizer Scanner:
Thread: Runnable
ClassLoader:
Method Constructor: AnnotatedElement GenericDeclaration
Field: AnnotatedElement
ParameterizedType GenericArrayType WildcardType TypeVariable: Type
ByteBuffer CharBuffer: Comparable
Format: Serializable Cloneable
DateFormat NumberFormat: Format
SimpleDateFormat: DateFormat
DecimalFormat: NumberFormat
"""
_RESULTS = """
Object String: toString
Object boolean: equals
Object int: hashCode
Object Class: getClass
Enum String: name
Enum int: ordinal compareTo
CharSequence int: length
CharSequence char: charAt
CharSequence CharSequence: subSequence
String int: length indexOf lastIndexOf compareTo compareToIgnoreCase codePointAt
String char: charAt
String boolean: isEmpty startsWith endsWith contains equalsIgnoreCase matches isBlank
String String: substring trim toLowerCase toUpperCase replace replaceAll replaceFirst concat
String String: format valueOf join intern repeat strip copyValueOf formatted
String byte[]: getBytes
String char[]: toCharArray
String String[]: split
StringBuilder StringBuilder: append insert reverse deleteCharAt delete
StringBuffer StringBuffer: append insert reverse deleteCharAt delete
StringBuilder String: substring
StringBuffer String: substring
StringBuilder int: indexOf
StringBuilder char: charAt
Class String: getName getSimpleName getCanonicalName getTypeName
Class boolean: isArray isInterface isPrimitive isEnum isAssignableFrom isInstance
Class ClassLoader: getClassLoader
Number int: intValue
Number long: longValue
Number double: doubleValue
Number float: floatValue
Number short: shortValue
Number byte: byteValue
Integer int: parseInt compare bitCount
Integer Integer: valueOf
Integer String: toHexString toBinaryString toOctalString
Long long: parseLong
Long Long: valueOf
Long String: toHexString
Double double: parseDouble
Double Double: valueOf
Double boolean: isNaN isInfinite
Float float: parseFloat
Float Float: valueOf
Boolean boolean: parseBoolean booleanValue
Boolean Boolean: valueOf
Short Short: valueOf
Byte Byte: valueOf
Character Character: valueOf
Character boolean: isDigit isLetter isWhitespace isUpperCase isLowerCase isLetterOrDigit
Character char: charValue
Collection int: size
Collection boolean: isEmpty contains containsAll addAll removeAll retainAll
Collection Object[]: toArray
List int: indexOf lastIndexOf
Map int: size
Map boolean: isEmpty containsKey containsValue
Map Set: keySet entrySet
Map Collection: values
Iterator boolean: hasNext
Iterable Iterator: iterator
Throwable String: getMessage getLocalizedMessage
Throwable Throwable: getCause
Throwable StackTraceElement[]: getStackTrace
System long: currentTimeMillis nanoTime
System String: getProperty lineSeparator
Math double: sqrt pow floor ceil random log exp
File String: getName getPath getAbsolutePath getParent getCanonicalPath
File File: getParentFile getAbsoluteFile
File Path: toPath
File boolean: exists isFile isDirectory delete mkdirs
File long: length lastModified
Path File: toFile
Path Path: resolve getParent getFileName toAbsolutePath normalize relativize
Paths Path: get
Date long: getTime
Calendar Date: getTime
Calendar Calendar: getInstance
Calendar int: get
Locale Locale: getDefault forLanguageTag
TimeZone TimeZone: getTimeZone getDefault
Charset Charset: forName defaultCharset
Charset String: name
Pattern Pattern: compile
Pattern Matcher: matcher
Matcher String: group
Matcher boolean: matches find lookingAt
Matcher int: start end groupCount
UUID UUID: randomUUID fromString
Thread Thread: currentThread
StringWriter String: toString
ByteArrayOutputStream byte[]: toByteArray
Method String: getName
Method Class: getReturnType getDeclaringClass
Field String: getName
Field Class: getType getDeclaringClass
"""
_FUNCTIONAL = {
    **dict.fromkeys(("Runnable", "Callable", "Supplier", "IntSupplier", "LongSupplier"), 0),
    **dict.fromkeys(("DoubleSupplier", "BooleanSupplier"), 0),
    **dict.fromkeys(("Function", "Consumer", "Predicate", "UnaryOperator", "IntFunction"), 1),
    **dict.fromkeys(("IntPredicate", "ToIntFunction", "ToLongFunction", "ToDoubleFunction"), 1),
    **dict.fromkeys(("IntConsumer", "LongConsumer", "DoubleConsumer", "IntUnaryOperator"), 1),
    **dict.fromkeys(("BiFunction", "BiConsumer", "BiPredicate", "BinaryOperator"), 2),
    **dict.fromkeys(("Comparator", "IntBinaryOperator"), 2),
}
_NUMERIC = ("byte", "short", "int", "long", "float", "double")


def _literal_type(node_type: str, text: str) -> str:
    """Return the type of a literal, like `long` for `5L`; "" for other nodes."""
    if not node_type.endswith(("integer_literal", "floating_point_literal")):
        return _LITERALS.get(node_type, "")
    last = text[-1:].lower()
    if "integer" in node_type:
        return "long" if last == "l" else "int"
    return "float" if last == "f" and not text.lower().startswith("0x") else "double"


JAVA_TYPES = TypeRules(
    literal_type=_literal_type,
    numeric=_NUMERIC,
    widening={
        **{name: _NUMERIC[at + 1 :] for at, name in enumerate(_NUMERIC)},
        "char": _NUMERIC[2:],
        "boolean": (),
    },
    boxes={
        "boolean": "Boolean",
        "byte": "Byte",
        "char": "Character",
        "double": "Double",
        "float": "Float",
        "int": "Integer",
        "long": "Long",
        "short": "Short",
    },
    top="Object",
    null="null",
    text="String",
    truth="boolean",
    common_bases={"enum": ("Enum",)},
    library=parse_hierarchy(_LIBRARY),
    functional=_FUNCTIONAL,
    results=parse_results(_RESULTS),
)

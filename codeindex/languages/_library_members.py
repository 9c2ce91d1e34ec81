"""List the members of types that every program of a language has: strings, lists, maps.

A call of such a name on an unknown receiver mostly refers to the library.
"""

from __future__ import annotations

_PYTHON = frozenset(
    name
    for of in (str, bytes, int, float, list, tuple, dict, set, type, BaseException)
    for name in dir(of)
) | {"close", "flush", "read", "readline", "seek", "tell", "write"}
_ECMASCRIPT = """
all allSettled any append apply arrayBuffer at bind blob call catch charAt charCodeAt clear clone
codePointAt concat create copyWithin debug defineProperty delete endsWith entries error every exec
fill filter finally find findIndex findLast findLastIndex flat flatMap forEach formData freeze from
fromEntries get getDate getDay getFullYear getHours getMinutes getMonth getTime getTimezoneOffset
has hasOwnProperty includes indexOf info isPrototypeOf join json keys lastIndexOf localeCompare log
map match matchAll normalize now of on once padEnd padStart parse pop push race raw reduce
reduceRight reject repeat replace replaceAll resolve reverse search set setHours shift slice some
sort splice split startsWith stringify sub subarray substr substring test text then toFixed
toISOString toJSON toLocaleString toLowerCase toPrecision toReversed toSorted toString toUpperCase
trim trimEnd trimStart unshift valueOf values warn with
"""
_JAVA = """
accept add addAll addFirst addLast allMatch andThen anyMatch append appendCodePoint apply asList
asSubclass await byteValue cast charAt chars clear clone close codePointAt collect
compare compareTo compareToIgnoreCase computeIfAbsent computeIfPresent concat contains containsAll
containsKey containsValue contentEquals copyOf count delete deleteCharAt descendingIterator distinct
doubleValue empty endsWith entrySet equals equalsIgnoreCase exists filter findAny findFirst flatMap
floatValue flush forEach forEachRemaining format get getAndIncrement getBytes getCause getChars
getClass getClassLoader getDeclaredField getDeclaredMethod getFirst getInterfaces getKey getLast
getLocalizedMessage getMessage getMethod getMethods getModifiers getName getOrDefault getPackage
getParameterTypes getReturnType getSimpleName getStackTrace getSuperclass getTypeName getValue
hasMoreTokens hasNext hashCode headSet identity ifPresent incrementAndGet indexOf insert intValue
interrupt invoke isAnnotationPresent isArray isAssignableFrom isBlank isEmpty isInstance isInterface
isPresent isPrimitive iterator join joining keySet lastIndexOf length limit lines listIterator
lock longValue map mapToInt mapToObj mark matches max merge min name newInstance next nextInt
noneMatch notify notifyAll of offer ordinal orElse orElseGet orElseThrow parallel peek poll pop
print printStackTrace println push put putAll putIfAbsent read readLine reduce remove removeAll
removeFirst removeIf removeLast replace replaceAll replaceFirst reset retainAll reverse run set
setAccessible setCharAt setLength size skip sleep sort sorted split start startsWith stream strip
subList submit subSequence substring sum tailSet test toArray toCharArray toList toLowerCase
toMap toSet toString toUpperCase trim unlock valueOf values wait write
"""
_CSHARP = """
Abort Add AddDays AddHours AddLast AddMilliseconds AddMinutes AddMonths AddRange AddSeconds AddYears
Aggregate All Any Append AppendFormat AppendJoin AppendLine Apply AsEnumerable AsMemory
AsParallel AsQueryable AsReadOnly AsSpan Average BeginInvoke BinarySearch Build Cancel Cast Clear
Clone Close Combine Compare CompareTo Concat ConfigureAwait Contains ContainsKey ContainsValue
ContinueWith ConvertAll CopyTo CopyToAsync Count Create CreateInstance DefaultIfEmpty Delete Dequeue
Dispose DisposeAsync Distinct DynamicInvoke ElementAt ElementAtOrDefault EndInvoke EndsWith Enqueue
EnsureCapacity Equals Except ExceptWith Execute Exists Find FindAll FindIndex FindLast First
FirstOrDefault Flush FlushAsync ForEach Format FromResult Get GetAsync GetAttribute GetAwaiter
GetBytes GetConstructor GetConstructors GetCustomAttribute GetCustomAttributes GetDirectories
GetEnumerator GetField GetFields GetFiles GetFullPath GetHashCode GetInterfaces GetItem
GetLength GetMember GetMembers GetMethod GetMethods GetName GetOrAdd GetParameters GetProperties
GetProperty GetRange GetResult GetService GetString GetType GetTypeInfo GetValue GetValueOrDefault
GetValues GroupBy GroupJoin HasFlag HasValue IndexOf IndexOfAny Insert InsertRange Intersect
IntersectWith Invoke IsAssignableFrom IsDefined IsInstanceOfType IsMatch IsSubclassOf Join Last
LastIndexOf LastOrDefault Load Log LongCount MakeGenericMethod MakeGenericType Match Matches Max
MaxBy MemberwiseClone Min MinBy Move MoveNext Next OfType Open OrderBy OrderByDescending
PadLeft PadRight Parse Peek Pop Post PostAsync Prepend Print Push Put PutAsync Range Read ReadAsync
ReadByte ReadBytes ReadExactly ReadLine ReadLineAsync ReadToEnd ReadToEndAsync Register Release
Remove RemoveAll RemoveAt RemoveRange RemoveWhere Replace Reset Resolve Reverse Run Save
SaveChanges SaveChangesAsync Seek Select SelectMany Send SendAsync SequenceEqual Set SetEquals
SetException SetLength SetResult SetValue Single SingleOrDefault Skip SkipLast SkipWhile Slice Sort
Split Start StartsWith Stop Substring Subtract Sum Take TakeLast TakeWhile Then ThenBy
ThenByDescending ToArray ToBase64String ToByteArray ToCharArray ToDictionary ToHashSet
ToList ToLocalTime ToLookup ToLower ToLowerInvariant ToShortDateString ToString ToUniversalTime
ToUpper ToUpperInvariant Trim TrimEnd TrimExcess TrimStart TryAdd TryCopyTo TryDequeue TryGetValue
TryParse TryPeek TryPop TryRemove TryUpdate Union UnionWith Update Validate Wait WaitAsync WaitOne
Where Write WriteAsync WriteByte WriteLine WriteLineAsync Zip
"""
_MEMBERS = {
    "csharp": frozenset(_CSHARP.split()),
    "python": _PYTHON,
    "javascript": frozenset(_ECMASCRIPT.split()),
    "typescript": frozenset(_ECMASCRIPT.split()),
    "tsx": frozenset(_ECMASCRIPT.split()),
    "java": frozenset(_JAVA.split()),
}


def is_library_member(name: str, language: str) -> bool:
    """Tell whether a type in the language's standard library has a member of this name."""
    return name in _MEMBERS.get(language, ())

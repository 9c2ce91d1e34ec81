# Write which method each line of a repository called, for `graph.py ruby`:
#
#     RUBYOPT=-r/path/ruby_tracer.rb TRACED_ROOT=REPO TRACED_CALLS=calls.tsv ruby -Itest test/a_test.rb
#
# A row has the path and line of the call, the name that was called, the path, line and name of the
# method, and `path:line` of each method that this one overrides. Several runs add to one file.

root = "#{File.realpath(ENV.fetch('TRACED_ROOT'))}/"
output = File.expand_path(ENV.fetch("TRACED_CALLS"))
calls = {}
method_of = Kernel.instance_method(:method)

overridden = lambda do |object, name|
  found = []
  above = method_of.bind_call(object, name).super_method
  while above
    path, line = above.source_location
    found << "#{path.delete_prefix(root)}:#{line}" if path&.start_with?(root)
    above = above.super_method
  end
  found.join(" ")
rescue NameError, TypeError
  ""
end

trace = TracePoint.new(:call) do |point|
  next unless point.path.start_with?(root)

  place = caller_locations(2, 1)&.first
  next unless place&.absolute_path&.start_with?(root)

  row = [place.absolute_path, place.lineno, point.callee_id, point.path, point.lineno, point.method_id]
  calls[row] ||= overridden.call(point.self, point.method_id)
end

at_exit do
  trace.disable
  File.open(output, "a") do |file|
    calls.each do |(from, line, called, path, at, name), above|
      row = [from.delete_prefix(root), line, called, path.delete_prefix(root), at, name, above]
      file.puts(row.join("\t"))
    end
  end
end

trace.enable

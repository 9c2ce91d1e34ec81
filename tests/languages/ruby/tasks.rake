desc "Build it"
task :build => [:clean] do
  sh "make"
end

namespace :db do
  # Moves the schema.
  task :migrate, [:version] => :environment do |t, args|
  end
  task reset: :environment do
  end
end

task default: :build

# frozen_string_literal: true

require "set"

# Everything about money.
module Bank
  VERSION = "1.2"
  RATES = {
    low: 1,
  }.freeze

  class Error < StandardError; end
  NotFound = Class.new(Error)

  # A point on a map.
  Point = Struct.new(:x, :y) do
    def distance(other)
      1
    end
  end
  Coord = Data.define(:lat, :lng)

  ROUND = ->(n) { n.round }
  PARSE = lambda { |s| s.to_i }

  # An account.
  #
  # More about it.
  class Account < ActiveRecord::Base
    include Comparable
    extend Forwardable

    attr_accessor :owner, :balance
    attr_reader "label"
    class_attribute :limit
    has_many :entries
    belongs_to :customer
    scope :active, -> { where(active: true) }
    delegate :name, to: :customer
    @@count = 0

    class << self
      # Opens one.
      def open(name) = new(name)

      attr_reader :registry
    end

    def self.find(id)
      local = 1
      CACHE ||= {}
    end

    def initialize(owner, balance: 0, **opts, &block)
      @owner = owner
      @balance = balance
    end

    def <=>(other)
      balance <=> other.balance
    end

    def [](key) = @balance
    def []=(key, value)
      @balance = value
    end

    def empty?; @balance.zero?; end

    def balance=(value)
      @balance = value
    end

    def close!(
      reason:,
      at: Time.now
    )
      yield
    end

    alias shut! close!
    alias_method :stop!, :close!

    define_method(:dynamic) { |x| x }

    private def secret
      1
    end

    protected

    # Still counted.
    def guarded
    end

    module Helpers
      def help; end
    end
  end
end

class Bank::Account::Ledger
  def total
  end
end

def Bank.reset
end

$debug = false

RSpec.describe Bank::Account do
  let(:account) { described_class.new("a") }
  subject(:closed) { account.close! }

  describe "#close!" do
    context "when empty" do
      it "raises" do
        expect { closed }.to raise_error(Bank::Error)
      end

      it("is quick") { true }
    end
  end
end

class AccountTest < Minitest::Test
  def setup
    @account = nil
  end

  def test_opens
    assert true
  end

  test "closes" do
    assert true
  end
end

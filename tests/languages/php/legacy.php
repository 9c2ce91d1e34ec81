<?php
namespace Acme\Old {
    class User {
        var $name;
        function User($name) { $this->name = $name; }
    }
}

namespace {
    $settings = ['a' => 1];

    # Says hello.
    function hello() { echo "hi"; }
}

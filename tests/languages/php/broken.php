<?php
/** Fine before. */
class Before
{
    public function ok() {}
}

class Half
{
    public function bad($a {
        return 1;
    }
}

// Fine after.
function after() { return 1; }

plugins {
    kotlin("jvm") version "2.0"
}

val ktorVersion: String by project

fun greet() = println("hi")

tasks.register("hello") {
    doLast { greet() }
}

package broken

type Good struct {
	Name string
}

func Half(a int, {
	return
}

var x = = 3

func (g *Good) After() string {
	return g.Name
}

const Last = 1

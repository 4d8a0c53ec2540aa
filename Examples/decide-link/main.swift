print("see --help")

class CUDAGraph:
    def __init__(self, place=None, mode="thread_local"):

        pass

    def capture_begin(self):

        pass

    def capture_end(self):

        pass

    def replay(self):

        pass

    def reset(self):

        pass

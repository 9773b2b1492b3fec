class GraphMemoryManager:
    def __init__(self):
        self.pool = None
        self.graphs = []

    def create_pool(self, size_mb=512):
        """创建专用内存池"""
        self.pool = torch.cuda.CUDAGraphPool(
            torch.cuda.current_device(),
            size_mb * 1024 * 1024
        )
        return self.pool

    def capture_graph(self, model, input_shape):
        """使用专用内存池捕获图"""
        graph = torch.cuda.CUDAGraph()
        static_input = torch.randn(input_shape, device='cuda')
        static_output = None

        with torch.cuda.graph(graph, pool=self.pool):
            static_output = model(static_input)

        self.graphs.append({
            'graph': graph,
            'input': static_input,
            'output': static_output
        })
        return len(self.graphs) - 1

manager = GraphMemoryManager()
manager.create_pool(1024)

model1 = torch.nn.Linear(1000, 500).cuda()
graph_id1 = manager.capture_graph(model1, (32, 1000))

model2 = torch.nn.Conv2d(3, 64, 3).cuda()
graph_id2 = manager.capture_graph(model2, (16, 3, 224, 224))

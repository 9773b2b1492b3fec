import torch
import time

N, D_in, D_out = 64, 1024, 1024

x = torch.randn(N, D_in, device='cuda')
y = torch.randn(N, D_out, device='cuda')
model = torch.nn.Linear(D_in, D_out).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

s = torch.cuda.Stream()
s.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(s):
    for _ in range(3):
        optimizer.zero_grad(set_to_none=True)
        y_pred = model(x)
        loss = (y_pred - y).pow(2).sum()
        loss.backward()
        optimizer.step()
torch.cuda.current_stream().wait_stream(s)

g = torch.cuda.CUDAGraph()

optimizer.zero_grad(set_to_none=True)

with torch.cuda.graph(g):

    y_pred = model(x)
    loss = (y_pred - y).pow(2).sum()
    loss.backward()
    optimizer.step()

print("Graph captured! Replaying...")
start = time.time()
for _ in range(1000):
    g.replay()
torch.cuda.synchronize()
print(f"1000 iter finished in {time.time() - start:.4f}s")

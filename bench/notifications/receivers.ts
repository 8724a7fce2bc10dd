import { createServer } from 'node:http'

// HTTP receivers in a process of their own: they answer every message, except on /hang, where they never do.
// To the parent: the ports once, then the number of answered messages whenever it asks.
const count = Number(process.argv[2])
let answered = 0

const ports = await Promise.all(
  Array.from({ length: count }, () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (request.url === '/hang') return
        answered += 1
        response.end('ok')
      })
    })
    server.keepAliveTimeout = 1
    return new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
  }),
)
process.on('message', () => process.send?.({ answered }))
process.on('disconnect', () => process.exit(0))
process.send?.({ ports })

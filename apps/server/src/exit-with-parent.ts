// Preloaded into the demo's machines and agents: they hold a pipe to the process that started them and
// end when it is gone, however it went.
process.stdin.resume()
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.unref()

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../e2e/src/server-group.ts'

/** Debian's packages that are not here. */
export const missingPackages = () =>
  ['prometheus', 'prometheus-alertmanager'].filter(
    (program) => spawnSync(program, ['--version']).status !== 0,
  )

type Alert = { status: string; labels: Record<string, string> }

/**
 * Prometheus that reads the values each second and judges them each second, and Alertmanager that sends each alert
 * alone and at once to a receiver; `onAlert` is called for each that fires.
 */
export async function startPrometheus(
  metricsPort: number,
  rules: { name: string; expression: string }[],
  onAlert: (labels: Record<string, string>) => void,
) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-prometheus-'))
  const receiver = createServer((request, answer) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      answer.end()
      const { alerts } = JSON.parse(text) as { alerts: Alert[] }
      for (const { status, labels } of alerts) if (status === 'firing') onAlert(labels)
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const receiverPort = (receiver.address() as AddressInfo).port
  const [port, managerPort] = [await freePort(), await freePort()]
  const write = async (name: string, text: string) => {
    await writeFile(path.join(folder, name), text)
    return path.join(folder, name)
  }
  await write('rules.yml', rulesText(rules))
  const config = await write('prometheus.yml', prometheusText(metricsPort, managerPort))
  const managerConfig = await write('alertmanager.yml', managerText(receiverPort))
  const children = [
    spawn(
      'prometheus-alertmanager',
      [
        `--config.file=${managerConfig}`,
        `--storage.path=${path.join(folder, 'alertmanager')}`,
        `--web.listen-address=127.0.0.1:${managerPort}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    ),
    spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    ),
  ]
  await Promise.all([
    until(`http://127.0.0.1:${port}/-/ready`),
    until(`http://127.0.0.1:${managerPort}/-/ready`),
  ])
  return {
    async stop() {
      await Promise.all(children.map(stopped))
      receiver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const rulesText = (rules: { name: string; expression: string }[]) =>
  `groups:
  - name: bench
    rules:
${rules.map(({ name, expression }) => `      - alert: ${name}\n        expr: ${expression}\n`).join('')}`

const prometheusText = (metricsPort: number, managerPort: number) => `global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files: [rules.yml]
alerting:
  alertmanagers:
    - static_configs:
        - targets: ['127.0.0.1:${managerPort}']
scrape_configs:
  - job_name: lines
    static_configs:
      - targets: ['127.0.0.1:${metricsPort}']
`

const managerText = (receiverPort: number) => `route:
  receiver: bench
  group_by: ['...']
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: bench
    webhook_configs:
      - url: http://127.0.0.1:${receiverPort}/
        send_resolved: false
`

async function until(url: string) {
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false, // not listening yet
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 100))
  }
}

async function stopped(child: ChildProcess) {
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}

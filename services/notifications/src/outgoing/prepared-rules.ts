import type { Outgoing } from './contract.ts'

/** Message of a trigger for one recipient, as it is sent at each attempt. */
export type Prepared =
  | { kind: 'mail'; to: string; subject: string; text: string }
  | {
      kind: 'call'
      method: Extract<Outgoing, { kind: 'webhook' }>['method']
      url: string
      headers: Record<string, string>
      body: string
    }

/** Content of a message, by the names that templates have. */
export type RunContent = {
  run: string
  trigger: string
  triggerId: string
  device: string
  deviceId: string
  organization: string
  path: string
  value: string
  time: string
  timeMs: number
  url: string
  subject: string
  inputs: readonly { path: string; value: string }[]
}

/** Text of a message without a template: what fired, and all values. */
export const plainRunText = ({ subject, time, inputs, url }: RunContent) =>
  [subject, '', ...inputs.map(({ path, value }) => `${path}: ${value}`), '', time, url].join('\n')

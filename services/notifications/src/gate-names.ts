/** Gates of a rule in the order in which an alarm meets them. */
export const ruleGates = [
  'rule',
  'severity',
  'name',
  'group',
  'expression',
  'device',
  'shelf',
  'suppressed',
  'withdrawn',
  'late',
  'ack',
  'day',
] as const
export type RuleGate = (typeof ruleGates)[number]

/** Gates of a decision besides those of its rule: before the rule, around its message, and without a decision. */
export const decisionGates = [
  'created',
  'decision',
  'gone',
  'over',
  'told',
  'not_told',
  'burst',
  'digest',
] as const

/** Gates that keep a message from a recipient, and the one behind which it is sent. */
export const deliveryGates = [
  'recipient',
  'removed',
  'nobody_on_call',
  'quiet',
  'paused',
  'preference',
  'rate',
  'no_right',
  'ack',
  'channel_off',
  'channel_gone',
  'no_address',
  'no_mail_server',
  'no_browser',
  'delivery',
] as const
export type DeliveryGate = (typeof deliveryGates)[number]

/** Gate of the way of an alarm to a person, on the wire and in the texts of *Why?*. */
export type GateName = RuleGate | (typeof decisionGates)[number] | DeliveryGate

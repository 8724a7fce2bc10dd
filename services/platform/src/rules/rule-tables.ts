/** Tables of `migrations/100-rule-state.sql` and `125-rule-unjudged.sql`. */
export type RuleDb = {
  rule_device: {
    device_id: string
    node: number | null
    seq: number
    clock_t: number | null
    clock_at: number | null
    due_at: Date | null
    again_since: number | null
    judged_at: Date
  }
  rule_state: {
    device_id: string
    rule_id: string
    instance: string
    version: number
    rule_key: string
    state: string
  }
  rule_text: { key: string; rule: string; zone: string | null; used_at: Date }
  /** Table of `migrations/120-pulse.sql`. */
  pulse_station: { station: 'turn' | 'value' | 'rule'; t: Date; at: Date }
  rule_unjudged: {
    device_id: string
    rule_id: string
    reason: 'age' | 'values'
    from_t: number
    to_t: number
    at: Date
  }
  rule_progress: { range: number; version: number; at: Date }
}

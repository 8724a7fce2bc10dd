import type { Rule } from '@longreach/rules/rule'

/** Rule as it is posted; what it leaves out is completed. */
export type DemoRule = Partial<Rule> & Pick<Rule, 'name' | 'kind' | 'scope' | 'levels'>

const [secondMs, minuteMs] = [1_000, 60_000]

/** Rules for the three-zone oven: too hot, weak heaters, a fault, the door, the conveyor, the connection. */
export const ovenRules = (model: string): DemoRule[] => [
  ...[1, 2, 3].flatMap((zone) => zoneRules(model, zone)),
  {
    name: 'Heater fault',
    kind: 'condition',
    scope: { model },
    when: { path: `${model}/fault`, op: '==', value: true },
    levels: [{ severity: 5 }],
    onDelayMs: 5 * secondMs,
    texts: {
      en: 'A heater does not heat although it should',
      de: 'Eine Heizung heizt nicht, obwohl sie sollte',
      es: 'Un calefactor no calienta aunque debería',
      fr: 'Un chauffage ne chauffe pas alors qu’il devrait',
      it: 'Un riscaldatore non riscalda anche se dovrebbe',
    },
    cause: 'Blown fuse, broken element, or a contactor that does not close.',
    consequence: 'Products leave the oven underbaked.',
    response: 'Check the fuses in cabinet F1 to F9, then measure the elements.',
    respondWithinMs: 10 * minuteMs,
    group: 'heating',
    class: 'Heating',
  },
  {
    name: 'Door open',
    kind: 'condition',
    scope: { model },
    when: { path: `${model}/doorOpen`, op: '==', value: true },
    levels: [{ severity: 1 }],
    onDelayMs: 30 * secondMs,
    ack: false,
    texts: {
      en: 'The door is open for over 30 s',
      de: 'Die Tür ist seit über 30 s offen',
      es: 'La puerta está abierta desde hace más de 30 s',
      fr: 'La porte est ouverte depuis plus de 30 s',
      it: 'La porta è aperta da più di 30 s',
    },
    response: 'Close the door at the entry.',
    class: 'Operation',
  },
  {
    name: 'Conveyor stopped',
    kind: 'condition',
    scope: { model },
    when: {
      all: [
        { path: `${model}/conveyor/speedSetPoint`, op: '>', value: 0.2 },
        { path: `${model}/conveyor/speed`, op: '<', value: 0.1, clear: 0.2 },
      ],
    },
    levels: [{ severity: 6 }],
    onDelayMs: 20 * secondMs,
    texts: {
      en: 'The conveyor stands while the oven is hot',
      de: 'Das Band steht, während der Ofen heiß ist',
      es: 'La cinta está parada con el horno caliente',
      fr: 'Le convoyeur est arrêté alors que le four est chaud',
      it: 'Il nastro è fermo mentre il forno è caldo',
    },
    cause: 'The chain has jumped off, or the drive has tripped.',
    consequence: 'Products burn; risk of fire after five minutes.',
    response: 'Switch off the heaters, open the door, then look at the chain.',
    respondWithinMs: 5 * minuteMs,
    class: 'Conveyor',
  },
  connectionRule(model),
]

const zoneRules = (model: string, zone: number): DemoRule[] => {
  const path = `${model}/zone${zone}`
  const heatersOff = { path: `${model}/heaterEnabled`, op: '==' as const, value: false }
  return [
    {
      name: `Zone ${zone} too hot`,
      kind: 'condition',
      scope: { model },
      when: { path: `${path}/temperature`, op: '>' },
      levels: [
        { severity: 3, value: 245, clear: 242 },
        { severity: 6, value: 255, clear: 250 },
      ],
      onDelayMs: 10 * secondMs,
      unless: { when: heatersOff, onDelayMs: 0, offDelayMs: minuteMs },
      texts: {
        en: `Zone ${zone} is at {value} °C, the limit is {limit} °C`,
        de: `Zone ${zone} hat {value} °C, die Grenze ist {limit} °C`,
        es: `La zona ${zone} está a {value} °C, el límite es {limit} °C`,
        fr: `La zone ${zone} est à {value} °C, la limite est {limit} °C`,
        it: `La zona ${zone} è a {value} °C, il limite è {limit} °C`,
      },
      cause: 'A relay that stays closed, or a wrong set-point.',
      consequence: 'The batch is lost; above 280 °C the insulation suffers.',
      response: `Switch off the heaters, then check the relay K${zone} in cabinet 1.`,
      respondWithinMs: 5 * minuteMs,
      group: 'heating',
      class: 'Heating',
    },
    {
      name: `Zone ${zone} heats weakly`,
      kind: 'condition',
      scope: { model },
      when: {
        all: [
          { path: `${path}/power`, op: '>', value: 95, clear: 90 },
          {
            formula: `"zone${zone}/setPoint" - "zone${zone}/temperature"`,
            op: '>',
            value: 15,
            clear: 8,
          },
        ],
      },
      levels: [{ severity: 3 }],
      onDelayMs: minuteMs,
      unless: { when: heatersOff, onDelayMs: 0, offDelayMs: 10 * minuteMs },
      texts: {
        en: `Zone ${zone} does not reach its set-point`,
        de: `Zone ${zone} erreicht ihren Sollwert nicht`,
        es: `La zona ${zone} no alcanza su consigna`,
        fr: `La zone ${zone} n’atteint pas sa consigne`,
        it: `La zona ${zone} non raggiunge il setpoint`,
      },
      cause: 'One of the three elements is broken.',
      consequence: 'Products leave the oven underbaked.',
      response: 'Slow the conveyor down and order an element.',
      respondWithinMs: 60 * minuteMs,
      group: 'heating',
      class: 'Heating',
    },
  ]
}

/** Rules for the pump station: tripped pumps, hot bearings, a low tank, silence, the connection. */
export const stationRules = (model: string): DemoRule[] => [
  ...[1, 2].flatMap((pump) => pumpRules(model, pump)),
  {
    name: 'Tank low',
    kind: 'condition',
    scope: { model },
    when: { path: `${model}/level`, op: '<' },
    levels: [
      { severity: 3, value: 25, clear: 30 },
      { severity: 6, value: 10, clear: 15 },
    ],
    onDelayMs: 30 * secondMs,
    texts: {
      en: 'The tank is at {value} %, the limit is {limit} %',
      de: 'Der Behälter ist bei {value} %, die Grenze ist {limit} %',
      es: 'El depósito está al {value} %, el límite es {limit} %',
      fr: 'Le réservoir est à {value} %, la limite est {limit} %',
      it: 'Il serbatoio è al {value} %, il limite è {limit} %',
    },
    cause: 'More is taken than runs in, or the inlet valve is stuck.',
    consequence: 'The pumps run dry below 5 %.',
    response: 'Look at the inflow; throttle the pumps if it is low.',
    respondWithinMs: 15 * minuteMs,
    class: 'Tank',
  },
  {
    name: 'No values of the tank',
    kind: 'silence',
    scope: { model },
    when: { path: `${model}/level`, forMs: 5 * minuteMs },
    levels: [{ severity: 3 }],
    texts: {
      en: 'The tank level has not been reported for 5 minutes',
      de: 'Der Füllstand wurde seit 5 Minuten nicht gemeldet',
      es: 'El nivel del depósito no se comunica desde hace 5 minutos',
      fr: 'Le niveau du réservoir n’est plus signalé depuis 5 minutes',
      it: 'Il livello del serbatoio non viene comunicato da 5 minuti',
    },
    response: 'Check the level sensor and its cable.',
    class: 'Instruments',
  },
  connectionRule(model),
]

const pumpRules = (model: string, pump: number): DemoRule[] => [
  {
    name: `Pump ${pump} tripped`,
    kind: 'condition',
    scope: { model },
    when: { path: `${model}/pump${pump}/fault`, op: '==', value: true },
    levels: [{ severity: 5 }],
    reset: true,
    texts: {
      en: `Pump ${pump} was stopped by its bearing protection`,
      de: `Pumpe ${pump} wurde von ihrem Lagerschutz gestoppt`,
      es: `La bomba ${pump} se detuvo por la protección del rodamiento`,
      fr: `La pompe ${pump} a été arrêtée par la protection de son palier`,
      it: `La pompa ${pump} è stata fermata dalla protezione del cuscinetto`,
    },
    cause: 'A dry or worn bearing.',
    consequence: 'The other pump carries the load alone.',
    response: 'Grease the bearing, then reset the protection at the drive.',
    respondWithinMs: 30 * minuteMs,
    group: `pump ${pump}`,
    class: 'Pumps',
  },
  {
    name: `Pump ${pump} bearing hot`,
    kind: 'condition',
    scope: { model },
    when: { path: `${model}/pump${pump}/bearing`, op: '>' },
    levels: [
      { severity: 3, value: 75, clear: 70 },
      { severity: 5, value: 90, clear: 85 },
    ],
    onDelayMs: 20 * secondMs,
    texts: {
      en: `The bearing of pump ${pump} is at {value} °C, the limit is {limit} °C`,
      de: `Das Lager von Pumpe ${pump} hat {value} °C, die Grenze ist {limit} °C`,
      es: `El rodamiento de la bomba ${pump} está a {value} °C, el límite es {limit} °C`,
      fr: `Le palier de la pompe ${pump} est à {value} °C, la limite est {limit} °C`,
      it: `Il cuscinetto della pompa ${pump} è a {value} °C, il limite è {limit} °C`,
    },
    consequence: 'The bearing protection stops the pump at 95 °C.',
    response: 'Plan greasing this week.',
    group: `pump ${pump}`,
    class: 'Pumps',
  },
]

const connectionRule = (model: string): DemoRule => ({
  name: 'Not connected',
  kind: 'connection',
  scope: { model },
  when: { source: 'IOT', status: 'OFF' },
  levels: [{ severity: 1 }],
  onDelayMs: 2 * minuteMs,
  ack: false,
  texts: {
    en: 'The device is not connected',
    de: 'Das Gerät ist nicht verbunden',
    es: 'El dispositivo no está conectado',
    fr: 'L’appareil n’est pas connecté',
    it: 'Il dispositivo non è connesso',
  },
  response: 'Check the router of the plant.',
  class: 'Connection',
})

/** Customers of the demo's machine builder, below it and below its dealer. */
export const fleetOrganizations = [
  { name: 'gipfelbrot', label: 'Gipfelbrot', below: 'nordwerk.alpdrive' },
  { name: 'aurora', label: 'Panificio Aurora', below: 'nordwerk' },
  { name: 'dulac', label: 'Boulangerie du Lac', below: 'nordwerk' },
  { name: 'hornosol', label: 'Horno Sol', below: 'nordwerk' },
] as const

export type FleetMachine = {
  label: string
  organization: string
  town: string
  country: string
  position: { lat: number; lon: number }
  serialNumber: string
  /**
   * Kind of connection: permanent, intermittent like a poor mobile network, or none yet, waiting
   * for its activation key to be used.
   */
  link: 'steady' | 'poor' | 'never'
}

const oven = (
  label: string,
  organization: string,
  [town, country, lat, lon]: readonly [string, string, number, number],
  more: Partial<FleetMachine> = {},
): FleetMachine => ({
  label,
  organization,
  town,
  country,
  position: { lat, lon },
  serialNumber: `NW-TO3-${String(1_000 + ((lat * 7_919 + lon * 104_729) | 0)).slice(-4)}`,
  link: 'steady',
  ...more,
})

/** Ovens sold by the demo's machine builder; each sends values through an agent of its own. */
export const fleetMachines: readonly FleetMachine[] = [
  oven('oven-erfurt-1', 'nordwerk.sonnenkorn', ['Erfurt', 'DE', 50.9848, 11.0299]),
  oven('oven-erfurt-2', 'nordwerk.sonnenkorn', ['Erfurt', 'DE', 50.9851, 11.0304], {
    link: 'poor',
  }),
  oven('oven-innsbruck', 'nordwerk.alpdrive.gipfelbrot', ['Innsbruck', 'AT', 47.2692, 11.4041]),
  oven('oven-chur', 'nordwerk.alpdrive.gipfelbrot', ['Chur', 'CH', 46.8508, 9.532], {
    link: 'poor',
  }),
  oven('oven-torino-1', 'nordwerk.aurora', ['Torino', 'IT', 45.0703, 7.6869]),
  oven('oven-torino-2', 'nordwerk.aurora', ['Torino', 'IT', 45.0698, 7.6875]),
  oven('oven-bologna', 'nordwerk.aurora', ['Bologna', 'IT', 44.4949, 11.3426]),
  oven('oven-annecy', 'nordwerk.dulac', ['Annecy', 'FR', 45.8992, 6.1294]),
  oven('oven-valencia', 'nordwerk.hornosol', ['Valencia', 'ES', 39.4699, -0.3763]),
  oven('oven-sevilla', 'nordwerk.hornosol', ['Sevilla', 'ES', 37.3891, -5.9845], { link: 'never' }),
]

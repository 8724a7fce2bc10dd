const tests = '\\.(test|e2e)\\.tsx?$'
const testing = '/testing\\.ts$'

export default {
  forbidden: [
    {
      name: 'service-meets-service-through-its-contract',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/', pathNot: [tests, testing] },
      to: {
        path: '^services/',
        pathNot: ['^services/$1/', 'contract\\.ts$'],
      },
    },
    {
      name: 'portal-sees-contracts-only',
      severity: 'error',
      from: { path: '^apps/portal/', pathNot: tests },
      to: { path: '^services/', pathNot: 'contract\\.ts$' },
    },
    {
      name: 'a-section-does-not-import-another',
      severity: 'error',
      from: { path: '^apps/portal/src/sections/([^/]+)/' },
      to: {
        path: '^apps/portal/src/sections/',
        pathNot: ['^apps/portal/src/sections/$1/', '/section\\.ts$'],
      },
    },
    {
      name: 'packages-import-no-product-code',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|apps)/' },
    },
    {
      name: 'the-agent-runs-without-the-platform',
      severity: 'error',
      from: { path: '^apps/edge/', pathNot: tests },
      to: { path: '^(services|packages)/', pathNot: '^packages/device-protocol/' },
    },
    {
      name: 'a-contract-imports-only-contracts',
      severity: 'error',
      from: { path: 'contract\\.ts$' },
      to: {
        path: '^(services|packages|apps)/',
        pathNot: ['contract\\.ts$', '^packages/(authorization|device-protocol|formula)/'],
      },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '-rules\\.ts$' },
      to: {
        path: '.',
        dependencyTypesNot: ['type-only'],
        pathNot: [
          '-rules\\.ts$',
          'contract\\.ts$',
          '^packages/(authorization|device-protocol|formula)/',
        ],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: '(^|/)dist/|node_modules/(?!@longreach)',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}

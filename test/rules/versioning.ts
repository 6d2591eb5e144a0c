/** Versioning. */
export const versioning = {
  'versioning/current-path': 'The current interface lives under /apidev/v1/',
  'versioning/legacy-path': 'The compatibility surface lives under /apidev/legacy/',
  'versioning/entity-ids': 'An entity id that is not digits is rejected with 400 VALIDATION_ERROR, not 500',
};

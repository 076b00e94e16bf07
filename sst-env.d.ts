/* What \`sst shell\` gives by name. SST writes this file anew at each deployment. */
import "sst";

declare module "sst" {
  export interface Resource {}
}

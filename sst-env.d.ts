/* What `sst shell` gives by name. SST writes this file anew at each deployment. */
import "sst";

declare module "sst" {
  export interface Resource {
    Operations: {
      bucket: string;
      deadLetterQueueUrl: string;
      hostTable: string;
      queueUrl: string;
      type: "sst.sst.Linkable";
      undeliveredQueueUrl: string;
    };
  }
}

import { cancelCampaign } from "./cancel_campaign.ts";
import { createCampaign } from "./create_campaign.ts";
import { deleteCampaign } from "./delete_campaign.ts";
import { getCampaign } from "./get_campaign.ts";
import { getCampaignStats } from "./get_campaign_stats.ts";
import { listCampaigns } from "./list_campaigns.ts";
import { pauseCampaign } from "./pause_campaign.ts";
import { resumeCampaign } from "./resume_campaign.ts";
import { reviewCampaign } from "./review_campaign.ts";
import { scheduleCampaign } from "./schedule_campaign.ts";
import { sendCampaign } from "./send_campaign.ts";
import { testCampaign } from "./test_campaign.ts";
import { updateCampaign } from "./update_campaign.ts";

/** Routes of this resource. */
export const campaignRoutes = [
  cancelCampaign,
  createCampaign,
  deleteCampaign,
  getCampaign,
  getCampaignStats,
  listCampaigns,
  pauseCampaign,
  resumeCampaign,
  reviewCampaign,
  scheduleCampaign,
  sendCampaign,
  testCampaign,
  updateCampaign,
] as const;
